//! Words of comments as they are indexed: without case, accents and punctuation.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::game::{Annotation, Annotations};

/// The words of a text: its runs of letters and digits, folded.
pub(crate) fn words(text: &str) -> Vec<String> {
    let folded: String = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkd()
            .filter(|&letter| !is_combining_mark(letter))
            .flat_map(char::to_lowercase)
            .collect()
    };

    folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// `true` if words follow each other in a comment, ignoring commands; with `is_prefix`, letters may follow the last
/// word. Digits may not: words with digits are not indexed, so a prefix could not find them.
pub(crate) fn has_phrase(comment: &str, phrase: &[String], is_prefix: bool) -> bool {
    let Some((last, before)) = phrase.split_last() else {
        return true;
    };
    let matches_last = |word: &str| match word.strip_prefix(last.as_str()) {
        Some("") => true,
        Some(rest) => is_prefix && !rest.contains(char::is_numeric),
        None => false,
    };

    let found: Vec<String> = without_commands(comment).flat_map(words).collect();
    for window in found.windows(phrase.len()) {
        if let Some((word, rest)) = window.split_last()
            && rest == before
            && matches_last(word)
        {
            return true;
        }
    }
    false
}

/// `true` if a word is indexed: numbers, moves and single letters are not.
pub(super) fn is_kept(word: &str) -> bool {
    word.chars().nth(1).is_some() && !word.contains(|letter: char| letter.is_numeric())
}

/// A summary of a game's annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommentSummary {
    /// `true` if there is a comment in words, a NAG or a variation: more than clocks and evaluations.
    pub(super) is_annotated: bool,
    /// `true` if there is a comment in words.
    pub(super) has_words: bool,
    /// The indexed words, separated by single spaces.
    pub(super) words: String,
}

impl CommentSummary {
    /// Summarizes the annotations of a game.
    pub(super) fn read(annotations: &Annotations) -> CommentSummary {
        let mut summary = CommentSummary::default();
        for (_, annotation) in annotations.iter() {
            match annotation {
                Annotation::Comment(text) => summary.add_comment(text),
                Annotation::BeginVariation | Annotation::Nag(_) => summary.is_annotated = true,
                _ => {}
            }
        }
        summary
    }

    /// Adds a comment to the summary.
    fn add_comment(&mut self, text: &str) {
        for part in without_commands(text) {
            if part.trim_ascii().is_empty() {
                continue;
            }

            let words = words(part);
            self.is_annotated |= !words.is_empty();
            self.has_words |= !words.is_empty();

            for word in words.into_iter().filter(|word| is_kept(word)) {
                if !self.words.is_empty() {
                    self.words.push(' ');
                }
                self.words.push_str(&word);
            }
        }
    }
}

/// The comments of a game.
pub(super) fn comments(annotations: &Annotations) -> impl Iterator<Item = &str> {
    annotations
        .iter()
        .filter_map(|(_, annotation)| match annotation {
            Annotation::Comment(text) => Some(text),
            _ => None,
        })
}

/// A comment without commands such as `[%clk 0:05:00]`.
fn without_commands(comment: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(comment);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some((before, command)) = text.split_once("[%") else {
            return rest.take();
        };

        // A command without its closing bracket reaches to the end of the comment.
        rest = command.split_once(']').map(|(_, behind)| behind);
        Some(before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ply;
    use crate::sample_games::annotations;

    /// Annotations with one comment per half-move.
    fn comments_of(texts: &[&str]) -> Annotations {
        (1..)
            .zip(texts)
            .map(|(ply, text)| (Ply::new(ply), Annotation::Comment(text)))
            .collect()
    }

    macro_rules! says {
        ($($name:ident: $annotations:expr => $annotated:expr, $words:expr;)*) => {$(
            #[test]
            fn $name() {
                let summary = CommentSummary::read(&$annotations);
                assert_eq!((summary.is_annotated, summary.words.as_str()), ($annotated, $words));
            }
        )*};
    }

    says! {
        words_of_comments: comments_of(&["A Novelty! ", "Überraschend, c'est l’été"]) =>
            true, "novelty uberraschend est ete";
        clocks: comments_of(&["[%clk 0:05:00] [%eval 0.35]", " [%clk 0:04:58] "]) => false, "";
        a_clock_and_words: comments_of(&["[%clk 0:05:00] good [%eval 0.3] move"]) => true, "good move";
        numbers: comments_of(&["+0.35/12 1.2s"]) => true, "";
        a_sign: annotations(&[(1, "$6")]) => true, "";
        a_variation: annotations(&[(1, "( d4 )")]) => true, "";
        a_line: annotations(&[(0, "%written")]) => false, "";
        an_open_command: comments_of(&["fine [%clk 0:05"]) => true, "fine";
        nothing: Annotations::default() => false, "";
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text: String, other in r#"(\PC|["\{}$(\[%])*"#) {
            let annotations = comments_of(&[&text, &other]);
            let summary = CommentSummary::read(&annotations);
            assert!(summary.is_annotated || !summary.has_words);
            assert!(summary.has_words || summary.words.is_empty());
            for word in summary.words.split_whitespace() {
                let phrase = [word.to_owned()];
                assert!(comments(&annotations).any(|text| has_phrase(text, &phrase, false)));
            }
        }
    }

    #[test]
    fn phrases() {
        let has = |phrase: &str, is_prefix| {
            has_phrase("A Théoretical NOVELTY (TN)!", &words(phrase), is_prefix)
        };

        for (phrase, is_prefix, expected) in [
            ("theoretical novelty", false, true),
            ("theo", true, true),
            ("novelty tn", false, true),
            ("theo", false, false),
            ("novelty theoretical", false, false),
            ("a novelty", true, false),
        ] {
            assert_eq!(has(phrase, is_prefix), expected, "{phrase}");
        }
    }

    #[test]
    fn commands_are_no_words() {
        let comment = "[%clk 0:05:00] a good [%eval 0.3] move: Nf3";
        let has = |phrase: &str, is_prefix| has_phrase(comment, &words(phrase), is_prefix);

        for (phrase, is_prefix, expected) in [
            ("good move", false, true),
            ("nf3", false, true),
            ("go", true, true),
            ("clk", false, false),
            ("0 05", false, false),
            ("nf", true, false),
        ] {
            assert_eq!(has(phrase, is_prefix), expected, "{phrase}");
        }
    }
}
