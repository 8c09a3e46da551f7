//! Countries in names of sites and events: `(Italy)`, `ITA` and `Italien` are one.

/// Codes of the International Olympic Committee, as FIDE uses them, with names in English and a few other languages.
/// Names are folded; several are separated by commas.
const COUNTRIES: &[(&str, &str)] = &[
    ("ALB", "albania"),
    ("ALG", "algeria"),
    ("AND", "andorra"),
    ("ANG", "angola"),
    ("ARG", "argentina"),
    ("ARM", "armenia"),
    ("AUS", "australia"),
    ("AUT", "austria,oesterreich,osterreich"),
    ("AZE", "azerbaijan"),
    ("BAN", "bangladesh"),
    ("BEL", "belgium,belgique,belgien"),
    ("BIH", "bosnia,bosnia and herzegovina"),
    ("BLR", "belarus"),
    ("BOL", "bolivia"),
    ("BRA", "brazil,brasil"),
    ("BUL", "bulgaria"),
    ("CAN", "canada"),
    ("CHI", "chile"),
    ("CHN", "china"),
    ("COL", "colombia"),
    ("CRC", "costa rica"),
    ("CRO", "croatia,hrvatska,hrv"),
    ("CUB", "cuba"),
    ("CYP", "cyprus"),
    ("CZE", "czech republic,czechia"),
    ("TCH", "czechoslovakia,csr,cssr"),
    ("DEN", "denmark,danmark,dnk"),
    ("DOM", "dominican republic"),
    ("ECU", "ecuador"),
    ("EGY", "egypt"),
    ("ENG", "england"),
    ("ESP", "spain,espana,spanien"),
    ("EST", "estonia"),
    ("FIN", "finland"),
    ("FRA", "france,frankreich"),
    ("GBR", "great britain,united kingdom,uk"),
    ("GDR", "ddr,east germany"),
    ("FRG", "west germany,brd"),
    ("GEO", "georgia"),
    ("GER", "germany,deutschland,deu"),
    ("GRE", "greece,grc"),
    ("HKG", "hong kong"),
    ("HUN", "hungary"),
    ("INA", "indonesia,idn"),
    ("IND", "india"),
    ("IRI", "iran,irn"),
    ("IRL", "ireland"),
    ("ISL", "iceland"),
    ("ISR", "israel"),
    ("ITA", "italy,italia,italien"),
    ("JAM", "jamaica"),
    ("JPN", "japan"),
    ("KAZ", "kazakhstan"),
    ("KGZ", "kyrgyzstan"),
    ("KOR", "south korea"),
    ("KSA", "saudi arabia"),
    ("KUW", "kuwait"),
    ("LAT", "latvia,lva"),
    ("LBN", "lebanon"),
    ("LIE", "liechtenstein"),
    ("LTU", "lithuania"),
    ("LUX", "luxembourg"),
    ("MAR", "morocco"),
    ("MAS", "malaysia,mys"),
    ("MDA", "moldova"),
    ("MEX", "mexico"),
    ("MGL", "mongolia"),
    ("MKD", "macedonia,north macedonia"),
    ("MLT", "malta"),
    ("MNE", "montenegro"),
    ("MON", "monaco"),
    ("MYA", "myanmar,burma"),
    ("NED", "netherlands,holland,the netherlands,nld,niederlande"),
    ("NOR", "norway,norge"),
    ("NZL", "new zealand"),
    ("PAK", "pakistan"),
    ("PAN", "panama"),
    ("PAR", "paraguay"),
    ("PER", "peru"),
    ("PHI", "philippines,phl"),
    ("POL", "poland,polska"),
    ("POR", "portugal,prt"),
    ("PUR", "puerto rico"),
    ("QAT", "qatar"),
    ("ROU", "romania,rom"),
    ("RSA", "south africa"),
    ("RUS", "russia"),
    ("SCO", "scotland"),
    ("SGP", "singapore,sin"),
    ("SLO", "slovenia,svn"),
    ("SRB", "serbia"),
    ("SUI", "switzerland,schweiz,suisse,che"),
    ("SVK", "slovakia"),
    ("SWE", "sweden,sverige"),
    ("TUN", "tunisia"),
    ("TUR", "turkey,turkiye"),
    ("UAE", "united arab emirates"),
    ("UKR", "ukraine"),
    ("URS", "ussr,soviet union,udssr,su"),
    ("URU", "uruguay"),
    ("USA", "united states,us"),
    ("UZB", "uzbekistan"),
    ("VEN", "venezuela"),
    ("VIE", "vietnam,viet nam,vnm"),
    ("WLS", "wales"),
    ("YUG", "yugoslavia,jug"),
];

/// `true` for the code of a country, in capital letters.
pub(super) fn is_country_code(text: &str) -> bool {
    COUNTRIES.iter().any(|(code, _)| *code == text)
}

/// The code of a country, from its code or one of its names in folded words.
pub(super) fn country_code(folded: &str) -> Option<&'static str> {
    for &(code, names) in COUNTRIES {
        let has_name = names.split(',').any(|name| name == folded);
        if has_name || code.eq_ignore_ascii_case(folded) {
            return Some(code);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_of_countries() {
        assert_eq!(country_code("italy"), Some("ITA"));
        assert_eq!(country_code("deu"), Some("GER"));
        assert_eq!(country_code("tallinn"), None);
    }
}
