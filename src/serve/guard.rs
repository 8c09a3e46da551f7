//! Which requests are answered, and which are rejected before they reach a route.
//!
//! A page of another site may make a browser call this server under a name that it lets point to this machine (DNS
//! rebinding), and would then read the answers as its own. So a request must call the server by a name that no other
//! site can have. Nor may a page of another site make it work, as by a picture or a frame whose address is a query,
//! unless its origin was allowed. It may have a link to the page of this server, which a person follows.
//!
//! A text that is sent, by POST, has a type that no form has: a browser asks before it sends that for a page of another
//! origin, and is told no. Nothing of the text is stored, unless the server was started with `--write` and its own page
//! sends it.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName, ORIGIN, TRANSFER_ENCODING};
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Method, Request, StatusCode, Uri};

use super::answer::PGN;
use super::assets::is_page;
use super::cors;
use super::failure::Failure;

/// The most bytes of a path with its parameters.
const MAX_URI_BYTES: usize = 8000;

/// The most bytes of a text that is sent.
pub(super) const TEXT_BYTES: usize = 1 << 20;

/// The addresses of a connection's own end, and the names that were allowed.
pub(super) struct Names<'n> {
    pub(super) own: SocketAddr,
    pub(super) bound: SocketAddr,
    pub(super) allowed: &'n [String],
}

/// Rejects a request that no client of this server would send, and a text for a route that takes none.
pub(super) fn check<B>(
    request: &Request<B>,
    names: &Names<'_>,
    origins: &[String],
    takes_text: bool,
) -> Result<(), Failure> {
    check_names(request.uri(), request.headers(), names)?;
    check_site(request.uri().path(), request.headers(), origins)?;

    let address_bytes = request
        .uri()
        .path_and_query()
        .map_or(0, |path| path.as_str().len());
    if address_bytes > MAX_URI_BYTES {
        return Err(rejected(
            StatusCode::URI_TOO_LONG,
            "the address is too long",
        ));
    }

    let method = request.method();
    if takes_text {
        if method == Method::POST {
            return check_text(request.headers());
        }
        if method != Method::OPTIONS {
            let sentence = "only POST is answered here";
            return Err(rejected(StatusCode::METHOD_NOT_ALLOWED, sentence));
        }
    } else if !matches!(method, &Method::GET | &Method::HEAD | &Method::OPTIONS) {
        let sentence = "only GET, HEAD and OPTIONS are answered";
        return Err(rejected(StatusCode::METHOD_NOT_ALLOWED, sentence));
    }

    if has_body(request.headers()) {
        let sentence = "a request has no body here";
        return Err(rejected(StatusCode::PAYLOAD_TOO_LARGE, sentence));
    }
    Ok(())
}

fn rejected(status: StatusCode, sentence: impl Into<String>) -> Failure {
    Failure {
        status,
        sentence: sentence.into(),
    }
}

/// The value of a header; empty if it is missing, or no ASCII.
fn text_of(headers: &HeaderMap, name: HeaderName) -> &str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// Rejects a text that is too long or of no known length, or has a type that forms of other sites could send.
fn check_text(headers: &HeaderMap) -> Result<(), Failure> {
    let type_and_parameters = text_of(headers, CONTENT_TYPE);
    let content_type = type_and_parameters.split(';').next().unwrap_or_default();
    if !content_type.trim().eq_ignore_ascii_case(PGN) {
        let sentence = format!("the text is sent with Content-Type: {PGN}");
        return Err(rejected(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }

    let Ok(bytes) = text_of(headers, CONTENT_LENGTH).parse::<usize>() else {
        let sentence = "the text is sent with Content-Length";
        return Err(rejected(StatusCode::LENGTH_REQUIRED, sentence));
    };
    if bytes > TEXT_BYTES {
        let sentence = format!("the text has more than {TEXT_BYTES} bytes");
        return Err(rejected(StatusCode::PAYLOAD_TOO_LARGE, sentence));
    }
    Ok(())
}

/// Rejects a change of a database, unless the server was started with `--write` and its own page sends the request.
///
/// A browser tells the origin of the page with each POST, and no page can change that (Fetch, "append a request `Origin`
/// header"). The name by which the server is called has been checked, so an equal origin is this server's.
pub(super) fn check_change(headers: &HeaderMap, is_writable: bool) -> Result<(), Failure> {
    if !is_writable {
        return Err(Failure::forbidden(
            "this server only reads; `stamma serve --write` lets its page change databases",
        ));
    }

    let host = text_of(headers, HOST);
    let is_own_page = text_of(headers, ORIGIN)
        .strip_prefix("http://")
        .is_some_and(|origin| origin.eq_ignore_ascii_case(host));
    if !is_own_page {
        return Err(Failure::forbidden(
            "only the page of this server may change databases",
        ));
    }
    Ok(())
}

fn has_body(headers: &HeaderMap) -> bool {
    let has_length = headers
        .get(CONTENT_LENGTH)
        .is_some_and(|length| length != "0");
    has_length || headers.contains_key(TRANSFER_ENCODING)
}

/// Rejects a request that calls the server by a name of another site, in the header `Host` or in its address.
fn check_names(uri: &Uri, headers: &HeaderMap, names: &Names<'_>) -> Result<(), Failure> {
    let Some(host) = only_host(headers) else {
        return Err(Failure::bad_request("a request needs one header Host"));
    };

    for authority in std::iter::once(&host).chain(uri.authority()) {
        let name = authority.host();
        if authority.as_str().contains('@') || !names.has(name) {
            let sentence =
                format!("this server is not called {name}; `stamma serve --allow-host` lets it");
            return Err(Failure::forbidden(sentence));
        }
    }
    Ok(())
}

/// The header `Host` of a request that has exactly one.
fn only_host(headers: &HeaderMap) -> Option<Authority> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next()?;
    if hosts.next().is_some() {
        return None;
    }
    host.to_str().ok()?.parse().ok()
}

/// Rejects what a browser requests for a page of another origin, except for following a link to a page.
///
/// A browser says who requests (`Sec-Fetch-Site`) and what for (`Sec-Fetch-Dest`), and no page can change what it says
/// (Fetch Metadata Request Headers, W3C). A frame, an embedded object and a new window navigate as a link does.
fn check_site(path: &str, headers: &HeaderMap, origins: &[String]) -> Result<(), Failure> {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|found| found == value);

    // Another port of this machine is the same site, but another origin.
    let is_of_other_origin =
        is("sec-fetch-site", "cross-site") || is("sec-fetch-site", "same-site");
    if !is_of_other_origin || cors::allowed(origins, headers).is_some() {
        return Ok(());
    }

    // A browser may load a page before anybody follows the link to it, and run its scripts.
    let is_ahead = headers.contains_key("sec-purpose");
    let is_followed_link =
        is("sec-fetch-mode", "navigate") && is("sec-fetch-dest", "document") && !is_ahead;
    if is_followed_link && is_page(path) {
        return Ok(());
    }
    Err(Failure::forbidden(
        "pages of other sites are not answered; `stamma serve --cors` lets them",
    ))
}

impl Names<'_> {
    /// `true` if a host is the name or the address of this server.
    fn has(&self, host: &str) -> bool {
        let is_localhost = host.eq_ignore_ascii_case("localhost");
        if is_localhost || host == "127.0.0.1" || host == "[::1]" {
            return true;
        }

        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(ip) = bare.parse::<IpAddr>() {
            let is_own = ip == self.own.ip().to_canonical();
            if is_own || ip == self.bound.ip().to_canonical() {
                return true;
            }
        }
        self.allowed
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(target: &str, headers: &[(&str, &str)]) -> Option<u16> {
        status_of(Method::GET, target, headers)
    }

    fn status_of(method: Method, target: &str, headers: &[(&str, &str)]) -> Option<u16> {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let own = "192.168.1.5:9002".parse().expect("an address");
        let bound = "0.0.0.0:9002".parse().expect("an address");
        let names = Names {
            own,
            bound,
            allowed: &["chess.example".to_owned()],
        };
        let request = request.body(()).expect("a request");
        let takes_text = target.starts_with("/text");
        check(
            &request,
            &names,
            &["https://lichess.org".to_owned()],
            takes_text,
        )
        .err()
        .map(|failure| failure.status.as_u16())
    }

    #[test]
    fn names_that_no_other_site_can_have_are_answered() {
        for host in [
            "localhost",
            "LOCALHOST:9002",
            "127.0.0.1",
            "127.0.0.1:80",
            "[::1]:9002",
            "192.168.1.5:9002",
            "0.0.0.0",
            "chess.example",
            "Chess.Example:443",
        ] {
            assert_eq!(status("/", &[("host", host)]), None, "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "192.168.1.6",
            "localhost@evil.example",
            "[::2]",
            "x.chess.example",
            "localhost.",
        ] {
            assert_eq!(status("/", &[("host", host)]), Some(403), "{host}");
        }
    }

    #[test]
    fn a_request_has_one_name() {
        assert_eq!(status("/", &[]), Some(400));
        assert_eq!(
            status("/", &[("host", "localhost"), ("host", "localhost")]),
            Some(400)
        );
        assert_eq!(status("/", &[("host", "a b")]), Some(400));
        assert_eq!(
            status("http://evil.example/", &[("host", "localhost")]),
            Some(403)
        );
        assert_eq!(
            status("http://127.0.0.1:9002/", &[("host", "localhost")]),
            None
        );
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let (host, site) = (("host", "localhost"), ("sec-fetch-site", "cross-site"));
        assert_eq!(status("/masters", &[host, site]), Some(403));
        assert_eq!(
            status(
                "/masters",
                &[host, site, ("origin", "https://evil.example")]
            ),
            Some(403)
        );
        assert_eq!(
            status("/masters", &[host, site, ("origin", "https://lichess.org")]),
            None
        );
        assert_eq!(
            status("/masters", &[host, ("sec-fetch-site", "same-origin")]),
            None
        );
        assert_eq!(
            status("/masters", &[host, ("sec-fetch-site", "none")]),
            None
        );
        assert_eq!(
            status("/masters", &[host, ("sec-fetch-site", "same-site")]),
            Some(403)
        );
    }

    /// A navigation of a page of another site: what it is for, its path, and the status of a refusal.
    macro_rules! navigations {
        ($($name:ident: $dest:expr, $path:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                let headers = [
                    ("host", "localhost"),
                    ("sec-fetch-site", "cross-site"),
                    ("sec-fetch-mode", "navigate"),
                    ("sec-fetch-dest", $dest),
                ];
                assert_eq!(status($path, &headers), $expected);
            }
        )*};
    }

    navigations! {
        a_link_to_the_page: "document", "/" => None;
        a_link_to_the_page_by_its_name: "document", "/page/index.html" => None;
        a_link_with_parameters: "document", "/?x=1" => None;
        a_window_of_an_answer: "document", "/api/1/games" => Some(403);
        a_window_of_an_explorer: "document", "/lichess" => Some(403);
        a_window_of_a_script: "document", "/page/page.js" => Some(403);
        a_window_of_nothing: "document", "/nothing" => Some(403);
        a_frame_of_the_page: "iframe", "/" => Some(403);
        a_frame_of_an_answer: "iframe", "/api/1/games" => Some(403);
        an_old_frame: "frame", "/api/1/games" => Some(403);
        an_object: "object", "/api/1/games" => Some(403);
        an_embedded_file: "embed", "/" => Some(403);
        a_destination_that_is_not_said: "", "/" => Some(403);
    }

    #[test]
    fn pages_are_not_loaded_before_a_link_is_followed() {
        let headers = [
            ("host", "localhost"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
            ("sec-purpose", "prefetch;prerender"),
        ];
        assert_eq!(status("/", &headers), Some(403));
    }

    #[test]
    fn bodies_and_long_addresses_are_refused() {
        let host = ("host", "localhost");
        assert_eq!(status("/", &[host, ("content-length", "0")]), None);
        assert_eq!(status("/", &[host, ("content-length", "1")]), Some(413));
        assert_eq!(
            status("/", &[host, ("transfer-encoding", "chunked")]),
            Some(413)
        );
        assert_eq!(
            status(&format!("/?{}", "x".repeat(MAX_URI_BYTES)), &[host]),
            Some(414)
        );
    }

    #[test]
    fn texts_are_sent_as_no_form_sends_them() {
        let (host, pgn) = (
            ("host", "localhost"),
            ("content-type", "application/x-chess-pgn"),
        );
        let post = |headers: &[(&str, &str)]| status_of(Method::POST, "/text", headers);
        assert_eq!(post(&[host, pgn, ("content-length", "1048576")]), None);
        assert_eq!(post(&[host, pgn, ("content-length", "1048577")]), Some(413));
        assert_eq!(post(&[host, pgn]), Some(411));
        assert_eq!(post(&[host, pgn, ("content-length", "x")]), Some(411));
        assert_eq!(
            post(&[host, pgn, ("transfer-encoding", "chunked")]),
            Some(411)
        );
        for form in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/x-chess-pgnx",
            "",
        ] {
            let headers = [host, ("content-type", form), ("content-length", "1")];
            assert_eq!(post(&headers), Some(415), "{form}");
        }
        assert_eq!(post(&[host, ("content-length", "1")]), Some(415));
        let site = [
            host,
            pgn,
            ("content-length", "1"),
            ("sec-fetch-site", "cross-site"),
        ];
        assert_eq!(post(&site), Some(403));
        assert_eq!(
            post(&[("host", "evil.example"), pgn, ("content-length", "1")]),
            Some(403)
        );
        assert_eq!(status("/text", &[host]), Some(405));
        assert_eq!(status_of(Method::OPTIONS, "/text", &[host]), None);
        let elsewhere = [host, pgn, ("content-length", "1")];
        assert_eq!(status_of(Method::POST, "/", &elsewhere), Some(405));
    }
}
