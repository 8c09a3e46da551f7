//! The origins whose pages may read answers: none, unless the server was started with them.

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::send::{Content, empty_response, set_header};

/// A browser sends this header in the preflight of a request from a public site to a private network (Private Network
/// Access).
const PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-allow-private-network");

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The time that a browser may cache the answer to a preflight: a day.
const MAX_AGE_SECONDS: &str = "86400";

/// The methods that are answered.
pub(super) const fn methods(takes_text: bool) -> &'static str {
    if takes_text {
        "POST, OPTIONS"
    } else {
        "GET, HEAD, OPTIONS"
    }
}

/// The answer to OPTIONS.
pub(super) fn preflight(takes_text: bool) -> Response<Content> {
    let mut response = empty_response(StatusCode::NO_CONTENT);
    set_header(&mut response, header::ALLOW, methods(takes_text));
    response
}

/// The value of `Access-Control-Allow-Origin` for a request; `None` if its origin is not allowed.
pub(super) fn allowed_origin<'r>(origins: &[String], request: &'r HeaderMap) -> Option<&'r str> {
    if origins.iter().any(|origin| origin == "*") {
        return Some("*");
    }

    let value = request.get(header::ORIGIN)?;
    let origin = value.to_str().ok()?;
    let is_allowed = origins.iter().any(|allowed| allowed == origin);
    if is_allowed { Some(origin) } else { None }
}

/// Adds the headers that let the page of a request read the response.
pub(super) fn allow(
    origins: &[String],
    takes_text: bool,
    request: &HeaderMap,
    response: &mut Response<Content>,
) {
    if origins.is_empty() {
        set_header(response, RESOURCE_POLICY, "same-origin");
        return;
    }

    let allowed = allowed_origin(origins, request);
    if allowed != Some("*") {
        // The response depends on the origin. Without this header, a cache could return the response for one origin to
        // another origin.
        response
            .headers_mut()
            .append(header::VARY, HeaderValue::from_static("Origin"));
    }
    let Some(allowed) = allowed else { return };
    set_header(response, header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
    set_header(response, header::ACCESS_CONTROL_EXPOSE_HEADERS, "ETag");

    // Only a preflight names a method: the request that a browser sends before the request of the page.
    if request.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        allow_preflight(takes_text, request, response);
    }
}

/// Adds the headers that let a browser send the request of a page after its preflight.
fn allow_preflight(takes_text: bool, request: &HeaderMap, response: &mut Response<Content>) {
    let headers = "Accept, Authorization, Content-Type, If-None-Match, X-Requested-With";
    set_header(response, header::ACCESS_CONTROL_ALLOW_HEADERS, headers);

    let methods = methods(takes_text);
    set_header(response, header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    set_header(response, header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);

    if request.contains_key(PRIVATE_NETWORK) {
        set_header(response, ALLOW_PRIVATE_NETWORK, "true");
    }
}
