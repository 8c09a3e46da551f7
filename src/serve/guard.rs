//! Rejects requests before they reach a route.
//!
//! A page of another site may make a browser call this server under a name of that site which resolves to this machine
//! (DNS rebinding). The browser would then let the page read the answers. So a request must call the server by a name
//! that no other site can have. A page of another site must not make the server work, either, for example by an image
//! or a frame whose address is a query, unless the origin of the page was allowed. Such a page may have a link to the
//! page of this server, which a person follows.
//!
//! A text is sent by POST, with a content type that no form has. A browser sends such a request for a page of another
//! origin only after a preflight, which this server denies. Nothing of the text is stored, unless the server was
//! started with `--write` and its own page sends the text.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, ORIGIN, TRANSFER_ENCODING};
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Method, Request, StatusCode, Uri};

use super::answer::PGN;
use super::assets::is_page;
use super::cors;
use super::failure::Failure;
use super::send::text_of;

/// The maximum number of bytes of a path with its parameters.
const MAX_URI_BYTES: usize = 8000;

/// The maximum number of bytes of a text that is sent.
pub(super) const TEXT_BYTES: usize = 1 << 20;

/// The names by which a request may call this server.
pub(super) struct Names<'n> {
    /// The address of the connection's own end.
    pub(super) own: SocketAddr,
    /// The address of `--bind`, which may denote all addresses of the machine.
    pub(super) bound: SocketAddr,
    /// The names of `--allow-host`.
    pub(super) allowed: &'n [String],
}

/// Rejects a request that no client of this server would send, and a body for a route without one.
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
        let sentence = "the address is too long";
        return Err(rejected(StatusCode::URI_TOO_LONG, sentence));
    }

    let method = request.method();
    check_method(method, takes_text)?;
    if method == Method::POST {
        return check_text(request.headers());
    }

    if has_body(request.headers()) {
        let sentence = "a request has no body here";
        return Err(rejected(StatusCode::PAYLOAD_TOO_LARGE, sentence));
    }
    Ok(())
}

/// Rejects a method that the route does not answer.
fn check_method(method: &Method, takes_text: bool) -> Result<(), Failure> {
    let is_answered = if takes_text {
        matches!(method, &Method::POST | &Method::OPTIONS)
    } else {
        matches!(method, &Method::GET | &Method::HEAD | &Method::OPTIONS)
    };
    if is_answered {
        return Ok(());
    }

    let sentence = if takes_text {
        "only POST is answered here"
    } else {
        "only GET, HEAD and OPTIONS are answered"
    };
    Err(rejected(StatusCode::METHOD_NOT_ALLOWED, sentence))
}

/// The failure of a rejected request.
fn rejected(status: StatusCode, sentence: impl Into<String>) -> Failure {
    Failure {
        status,
        sentence: sentence.into(),
    }
}

/// Rejects a text that is too long or of no known length, or has a type that forms of other sites could send.
fn check_text(headers: &HeaderMap) -> Result<(), Failure> {
    // A form can have three content types only, and a browser sends these without a preflight (Fetch, CORS-safelisted
    // request headers).
    let type_and_parameters = text_of(headers.get(CONTENT_TYPE));
    let content_type = type_and_parameters.split(';').next().unwrap_or_default();
    if !content_type.trim().eq_ignore_ascii_case(PGN) {
        let sentence = format!("the text is sent with Content-Type: {PGN}");
        return Err(rejected(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }

    let Ok(bytes) = text_of(headers.get(CONTENT_LENGTH)).parse::<usize>() else {
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
/// A browser sends the origin of the page with each POST, and no page can change this header (Fetch, "append a request
/// `Origin` header"). The name by which the request calls the server has been checked, so an equal origin is the origin
/// of this server.
pub(super) fn check_change(headers: &HeaderMap, is_writable: bool) -> Result<(), Failure> {
    if !is_writable {
        return Err(Failure::forbidden(
            "this server only reads; `stamma serve --write` lets its page change databases",
        ));
    }

    let host = text_of(headers.get(HOST));
    let origin = text_of(headers.get(ORIGIN));
    let is_own_page = match origin.strip_prefix("http://") {
        Some(origin_host) => origin_host.eq_ignore_ascii_case(host),
        None => false,
    };
    if !is_own_page {
        return Err(Failure::forbidden(
            "only the page of this server may change databases",
        ));
    }
    Ok(())
}

/// `true` if a request has a body.
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

    // An address with a host is meant for a proxy, and wins over the header (RFC 9112, section 3.2.2).
    for authority in std::iter::once(&host).chain(uri.authority()) {
        let name = authority.host();
        let has_user = authority.as_str().contains('@');
        if has_user || !names.is_server(name) {
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

/// Rejects a request that a browser sends for a page of another origin, unless a person follows a link to a page of
/// this server.
///
/// A browser sends the relation to the requesting site (`Sec-Fetch-Site`) and the use of the response
/// (`Sec-Fetch-Dest`). No page can change these headers (Fetch Metadata Request Headers, W3C). A frame, an embedded
/// object and a new window navigate as a link does.
fn check_site(path: &str, headers: &HeaderMap, origins: &[String]) -> Result<(), Failure> {
    let has_value = |name: &str, value: &str| headers.get(name).is_some_and(|found| found == value);

    // A page from another port of this machine has the same site, but another origin.
    let is_of_other_origin =
        has_value("sec-fetch-site", "cross-site") || has_value("sec-fetch-site", "same-site");
    if !is_of_other_origin || cors::allowed_origin(origins, headers).is_some() {
        return Ok(());
    }

    // A browser may load a page before anybody follows the link to it, and run its scripts.
    let is_ahead = headers.contains_key("sec-purpose");
    let is_followed_link = has_value("sec-fetch-mode", "navigate")
        && has_value("sec-fetch-dest", "document")
        && !is_ahead;
    if is_followed_link && is_page(path) {
        return Ok(());
    }
    Err(Failure::forbidden(
        "pages of other sites are not answered; `stamma serve --cors` lets them",
    ))
}

impl Names<'_> {
    /// `true` if a host is the name or the address of this server.
    fn is_server(&self, host: &str) -> bool {
        let is_localhost = host.eq_ignore_ascii_case("localhost");
        if is_localhost || host == "127.0.0.1" || host == "[::1]" {
            return true;
        }

        // An address needs no DNS, so no other site can rebind it.
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(ip) = bare.parse::<IpAddr>() {
            let is_own = ip == self.own.ip().to_canonical();
            let is_bound = ip == self.bound.ip().to_canonical();
            if is_own || is_bound {
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
        let request = request.body(()).expect("a request");

        let names = Names {
            own: "192.168.1.5:9002".parse().expect("an address"),
            bound: "0.0.0.0:9002".parse().expect("an address"),
            allowed: &["chess.example".to_owned()],
        };
        let origins = ["https://lichess.org".to_owned()];
        let takes_text = target.starts_with("/text");

        match check(&request, &names, &origins, takes_text) {
            Ok(()) => None,
            Err(failure) => Some(failure.status.as_u16()),
        }
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
        let host = ("host", "localhost");

        assert_eq!(status("/", &[]), Some(400));
        assert_eq!(status("/", &[host, host]), Some(400));
        assert_eq!(status("/", &[("host", "a b")]), Some(400));

        // The host of an absolute address counts, too.
        assert_eq!(status("http://evil.example/", &[host]), Some(403));
        assert_eq!(status("http://127.0.0.1:9002/", &[host]), None);
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let host = ("host", "localhost");
        let cross_site = ("sec-fetch-site", "cross-site");
        let allowed = ("origin", "https://lichess.org");
        let other = ("origin", "https://evil.example");

        assert_eq!(status("/masters", &[host, cross_site]), Some(403));
        assert_eq!(status("/masters", &[host, cross_site, other]), Some(403));
        assert_eq!(status("/masters", &[host, cross_site, allowed]), None);
    }

    #[test]
    fn only_requests_of_the_same_origin_and_of_users_are_answered() {
        for (site, expected) in [
            ("same-origin", None),
            // The user has typed the address.
            ("none", None),
            // Another port of this machine.
            ("same-site", Some(403)),
        ] {
            let headers = [("host", "localhost"), ("sec-fetch-site", site)];
            assert_eq!(status("/masters", &headers), expected, "{site}");
        }
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
        let chunked = ("transfer-encoding", "chunked");
        let long_address = format!("/?{}", "x".repeat(MAX_URI_BYTES));

        assert_eq!(status("/", &[host, ("content-length", "0")]), None);
        assert_eq!(status("/", &[host, ("content-length", "1")]), Some(413));
        assert_eq!(status("/", &[host, chunked]), Some(413));
        assert_eq!(status(&long_address, &[host]), Some(414));
    }

    #[test]
    fn texts_have_a_length() {
        let host = ("host", "localhost");
        let pgn = ("content-type", "application/x-chess-pgn");
        let post = |headers: &[(&str, &str)]| status_of(Method::POST, "/text", headers);

        assert_eq!(post(&[host, pgn, ("content-length", "1048576")]), None);
        assert_eq!(post(&[host, pgn, ("content-length", "1048577")]), Some(413));
        assert_eq!(post(&[host, pgn]), Some(411));
        assert_eq!(post(&[host, pgn, ("content-length", "x")]), Some(411));

        let chunked = ("transfer-encoding", "chunked");
        assert_eq!(post(&[host, pgn, chunked]), Some(411));
    }

    #[test]
    fn texts_are_sent_as_no_form_sends_them() {
        let host = ("host", "localhost");
        let length = ("content-length", "1");
        let post = |headers: &[(&str, &str)]| status_of(Method::POST, "/text", headers);

        for form in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/x-chess-pgnx",
            "",
        ] {
            let headers = [host, ("content-type", form), length];
            assert_eq!(post(&headers), Some(415), "{form}");
        }

        assert_eq!(post(&[host, length]), Some(415));
    }

    #[test]
    fn texts_of_other_sites_are_refused() {
        let host = ("host", "localhost");
        let other_host = ("host", "evil.example");
        let cross_site = ("sec-fetch-site", "cross-site");
        let pgn = ("content-type", "application/x-chess-pgn");
        let length = ("content-length", "1");
        let post = |headers: &[(&str, &str)]| status_of(Method::POST, "/text", headers);

        assert_eq!(post(&[host, pgn, length, cross_site]), Some(403));
        assert_eq!(post(&[other_host, pgn, length]), Some(403));
    }

    #[test]
    fn texts_are_sent_to_their_routes_only() {
        let host = ("host", "localhost");
        let pgn = ("content-type", "application/x-chess-pgn");
        let length = ("content-length", "1");

        assert_eq!(status("/text", &[host]), Some(405));
        assert_eq!(status_of(Method::OPTIONS, "/text", &[host]), None);

        let text_for_a_page = status_of(Method::POST, "/", &[host, pgn, length]);
        assert_eq!(text_for_a_page, Some(405));
    }
}
