//! Which pages of other sites may read answers: none, unless the server was started so.

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::send::{Content, empty, set};

/// What a browser asks before a page sends a request with a token.
const PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-allow-private-network");

/// The answer to OPTIONS.
pub(super) fn preflight() -> Response<Content> {
    let mut response = empty(StatusCode::NO_CONTENT);
    set(&mut response, header::ALLOW, "GET, HEAD, OPTIONS");
    response
}

/// Adds the headers that let the page of a request read the response.
pub(super) fn allow(origins: &[String], request: &HeaderMap, response: &mut Response<Content>) {
    if origins.is_empty() {
        set(response, HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
        return;
    }
    let origin = request.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    let is_any = origins.iter().any(|origin| origin == "*");
    if !is_any {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    }
    let allowed = match origin {
        _ if is_any => "*",
        Some(origin) if origins.iter().any(|other| other == origin) => origin,
        _ => return,
    };
    set(response, header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
    set(response, header::ACCESS_CONTROL_EXPOSE_HEADERS, "ETag");
    if request.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        let headers = "Accept, Authorization, Content-Type, If-None-Match, X-Requested-With";
        set(response, header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS");
        set(response, header::ACCESS_CONTROL_ALLOW_HEADERS, headers);
        set(response, header::ACCESS_CONTROL_MAX_AGE, "86400");
        if request.contains_key(PRIVATE_NETWORK) {
            set(response, ALLOW_PRIVATE_NETWORK, "true");
        }
    }
}
