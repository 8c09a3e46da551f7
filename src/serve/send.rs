//! HTTP responses: headers, entity tags, compression, and bodies that are sent piece by piece.

use std::io::{self, Write};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::Full;
use http_body_util::channel::{Channel, Sender};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::answer::{Answer, JSON, PLAIN};
use super::assets::Asset;
use super::budget::CancelOnDrop;
use super::failure::Failure;
use super::packed::{entity_tag, gzip};
use super::permits::StreamPermit;
use super::route::Interface;

/// The least size of a body that is compressed.
const MIN_COMPRESSED_BYTES: usize = 1000;
/// The size of the pieces of a body.
const PIECE_BYTES: usize = 64 * 1024;
/// The maximum number of pieces that wait for a client.
const MAX_WAITING_PIECES: usize = 4;
/// The maximum time until a client takes a piece. It is less than a writer waits for readers.
const PIECE_TIMEOUT: Duration = Duration::from_secs(10);
/// The time after which an answer returns its permit, while its client does not take a piece.
const PERMIT_PATIENCE: Duration = Duration::from_millis(100);
/// The Content-Security-Policy: the page may load its own files and the data of this server.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
    img-src 'self' data:; object-src 'none'";

/// The time in seconds after which a client may retry a request that found the server busy.
const RETRY_SECONDS: &str = "5";

const OPENER_POLICY: header::HeaderName =
    header::HeaderName::from_static("cross-origin-opener-policy");

/// The body of a response.
pub(super) enum Content {
    Whole(Full<Bytes>),
    /// The pieces of a body while it is written. Dropping the pieces cancels the work for the body.
    Pieces(
        Channel<Bytes, io::Error>,
        #[expect(dead_code, reason = "it acts when it is dropped")] CancelOnDrop,
    ),
}

impl Body for Content {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match self.get_mut() {
            Content::Whole(body) => Pin::new(body)
                .poll_frame(context)
                .map_err(|never| match never {}),
            Content::Pieces(body, _) => Pin::new(body).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Content::Whole(body) => body.is_end_stream(),
            Content::Pieces(body, _) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Content::Whole(body) => body.size_hint(),
            Content::Pieces(body, _) => body.size_hint(),
        }
    }
}

/// The headers of a request that decide the form of the response: `Accept-Encoding` and `If-None-Match`.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestConditions {
    takes_gzip: bool,
    known_tags: Option<HeaderValue>,
}

impl RequestConditions {
    pub(super) fn read(headers: &HeaderMap) -> RequestConditions {
        RequestConditions {
            takes_gzip: takes_gzip(headers),
            known_tags: headers.get(header::IF_NONE_MATCH).cloned(),
        }
    }

    /// `true` if the client has the body with this tag. The comparison is weak: it ignores `W/` (RFC 9110, section
    /// 13.1.2).
    fn knows(&self, tag: &str) -> bool {
        let known_tags = text_of(self.known_tags.as_ref());
        known_tags
            .split(',')
            .any(|known| known.trim() == "*" || without_weak_mark(known) == without_weak_mark(tag))
    }
}

/// The text of a header; empty if the header is missing, or no ASCII.
pub(super) fn text_of(value: Option<&HeaderValue>) -> &str {
    let text = value.and_then(|value| value.to_str().ok());
    text.unwrap_or_default()
}

/// `true` if the client accepts gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = text_of(headers.get(header::ACCEPT_ENCODING));
    if let Some(is_accepted) = accepts(accepted, "gzip") {
        return is_accepted;
    }

    // `*` matches the codings that are not named (RFC 9110, section 12.5.3).
    accepts(accepted, "*").unwrap_or(false)
}

/// `true` if a content coding is accepted; `None` if the header does not name the coding.
fn accepts(accepted: &str, coding: &str) -> Option<bool> {
    for entry in accepted.split(',') {
        let mut parts = entry.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        if !name.eq_ignore_ascii_case(coding) {
            continue;
        }

        // The weight 0 means "not acceptable" (RFC 9110, section 12.4.2).
        let is_refused = parts.filter_map(weight_of).any(|weight| weight == 0.0);
        return Some(!is_refused);
    }
    None
}

/// The value of the parameter `q`; `None` for another parameter, or a value that is no number.
fn weight_of(parameter: &str) -> Option<f32> {
    let (name, value) = parameter.split_once('=')?;
    if !name.eq_ignore_ascii_case("q") {
        return None;
    }
    value.parse().ok()
}

/// An entity tag without the prefix `W/` of weak tags.
fn without_weak_mark(tag: &str) -> &str {
    tag.trim().trim_start_matches("W/")
}

/// The response with an answer whose body is in memory; 304 if the client has the body.
pub(super) fn whole_response(answer: Answer, conditions: &RequestConditions) -> Response<Content> {
    // A failure has no tag, since the next request may succeed.
    let tag = entity_tag(&answer.body);
    let is_ok = answer.status == StatusCode::OK;
    if is_ok && conditions.knows(&tag) {
        return not_modified(&tag);
    }

    // The compressed body is used for one request only, so speed matters more than size.
    let is_packed = conditions.takes_gzip && answer.body.len() >= MIN_COMPRESSED_BYTES;
    let body = if is_packed {
        gzip(&answer.body, Compression::fast())
    } else {
        answer.body
    };

    let mut response = body_response(answer.content_type, Bytes::from(body), is_packed);
    *response.status_mut() = answer.status;
    if is_ok {
        set_header(&mut response, header::ETAG, &tag);
    }
    if answer.is_unbuffered {
        // As a proxy, Nginx buffers a response unless this header forbids it.
        response
            .headers_mut()
            .insert("x-accel-buffering", HeaderValue::from_static("no"));
    }
    response
}

/// The response with a file of the page; 304 if the client has the file.
pub(super) fn asset_response(asset: &Asset, conditions: &RequestConditions) -> Response<Content> {
    if conditions.knows(&asset.tag) {
        return not_modified(&asset.tag);
    }

    let body = if conditions.takes_gzip {
        &asset.packed
    } else {
        &asset.plain
    };
    let mut response = body_response(asset.content_type(), body.clone(), conditions.takes_gzip);
    set_header(&mut response, header::ETAG, &asset.tag);
    response
}

/// The response 304 with an entity tag.
fn not_modified(tag: &str) -> Response<Content> {
    let mut response = empty_response(StatusCode::NOT_MODIFIED);
    set_header(&mut response, header::ETAG, tag);
    response
}

/// A response with a body; `is_packed` is `true` for a body compressed with gzip.
fn body_response(content_type: &str, body: Bytes, is_packed: bool) -> Response<Content> {
    let mut response = Response::new(Content::Whole(Full::new(body)));
    set_header(&mut response, header::CONTENT_TYPE, content_type);
    if is_packed {
        set_header(&mut response, header::CONTENT_ENCODING, "gzip");
    }
    response
}

/// The response with a failure, as JSON or plain text.
pub(super) fn failure_response(failure: &Failure, interface: Interface) -> Response<Content> {
    let Failure { status, sentence } = failure;
    let (content_type, body) = match interface {
        Interface::Own => {
            let json = serde_json::json!({ "error": sentence });
            (JSON, json.to_string())
        }
        // Lichess's explorer sends failures as plain text.
        Interface::Explorer => (PLAIN, sentence.clone()),
    };
    let answer = Answer {
        status: *status,
        ..Answer::new(content_type, body)
    };

    let mut response = whole_response(answer, &RequestConditions::default());
    if *status == StatusCode::METHOD_NOT_ALLOWED {
        set_header(&mut response, header::ALLOW, "GET, HEAD, OPTIONS");
    }
    if *status == StatusCode::SERVICE_UNAVAILABLE {
        set_header(&mut response, header::RETRY_AFTER, RETRY_SECONDS);
    }
    response
}

/// A response without a body.
pub(super) fn empty_response(status: StatusCode) -> Response<Content> {
    let mut response = Response::new(Content::Whole(Full::default()));
    *response.status_mut() = status;
    response
}

/// A response whose body is sent piece by piece, and the writer of the body.
pub(super) fn streamed_response(
    content_type: &'static str,
    conditions: &RequestConditions,
    cancel: CancelOnDrop,
    permit: StreamPermit,
) -> (Response<Content>, PieceWriter) {
    let (sender, channel) = Channel::new(MAX_WAITING_PIECES);
    let mut response = Response::new(Content::Pieces(channel, cancel));
    set_header(&mut response, header::CONTENT_TYPE, content_type);
    if conditions.takes_gzip {
        set_header(&mut response, header::CONTENT_ENCODING, "gzip");
    }

    let sending = Sending {
        sender: Some(sender),
        piece: Vec::new(),
        runtime: Handle::current(),
        permit,
    };
    let writer = if conditions.takes_gzip {
        PieceWriter::Compressed(Box::new(GzEncoder::new(sending, Compression::fast())))
    } else {
        PieceWriter::Plain(sending)
    };
    (response, writer)
}

/// Adds the headers that all responses have.
pub(super) fn add_common_headers(response: &mut Response<Content>) {
    set_header(response, header::CONTENT_SECURITY_POLICY, POLICY);
    // Browsers that do not know `frame-ancestors` know this header.
    set_header(response, header::X_FRAME_OPTIONS, "DENY");
    // A page of another site that opens a window of this page has no access to the window.
    set_header(response, OPENER_POLICY, "same-origin");
    // JSON with names from games must not be taken for a page.
    set_header(response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set_header(response, header::REFERRER_POLICY, "no-referrer");
    // Databases change, so a client revalidates each response, by its entity tag.
    set_header(response, header::CACHE_CONTROL, "no-cache");

    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
}

/// Sets a header whose value is ASCII.
pub(super) fn set_header(response: &mut Response<Content>, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Writes the pieces of a body, compressed or not.
pub(super) enum PieceWriter {
    Plain(Sending),
    Compressed(Box<GzEncoder<Sending>>),
}

/// Sends bytes to the connection, and waits while the client is slow.
pub(super) struct Sending {
    /// `None` after the end of the body.
    sender: Option<Sender<Bytes, io::Error>>,
    piece: Vec<u8>,
    runtime: Handle,
    permit: StreamPermit,
}

impl PieceWriter {
    /// Ends the body. If writing failed, the body is cut off, so that the client notices.
    pub(super) fn finish(mut self, written: io::Result<()>) {
        let ended = match written {
            Ok(()) => self.end(),
            Err(error) => Err(error),
        };

        // Dropping the sender would end the body as if it were complete.
        let sender = self.sending().sender.take();
        if let (Err(error), Some(sender)) = (ended, sender) {
            sender.abort(error);
        }
    }

    /// Sends the rest of the body, with the end of the compressed data.
    fn end(&mut self) -> io::Result<()> {
        if let PieceWriter::Compressed(encoder) = self {
            encoder.try_finish()?;
        }
        self.sending().send()
    }

    fn sending(&mut self) -> &mut Sending {
        match self {
            PieceWriter::Plain(sending) => sending,
            PieceWriter::Compressed(encoder) => encoder.get_mut(),
        }
    }
}

impl Write for PieceWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            PieceWriter::Plain(sending) => sending.write(bytes),
            PieceWriter::Compressed(encoder) => encoder.write(bytes),
        }
    }

    /// Sends everything that has been written.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            PieceWriter::Plain(sending) => sending.flush(),
            PieceWriter::Compressed(encoder) => encoder.flush(),
        }
    }
}

/// Sends a piece. While the client is slow, the permit is available to other requests.
async fn send_piece(
    sender: &mut Sender<Bytes, io::Error>,
    piece: Bytes,
    permit: &mut StreamPermit,
) -> io::Result<()> {
    let mut sending = pin!(sender.send_data(piece));

    // Most clients take a piece at once. Then the permit is kept.
    let sent = match timeout(PERMIT_PATIENCE, sending.as_mut()).await {
        Ok(sent) => sent,
        Err(_) => {
            permit.give_back();
            match timeout(PIECE_TIMEOUT, sending).await {
                Ok(sent) => sent,
                Err(_) => return Err(io::ErrorKind::TimedOut.into()),
            }
        }
    };
    if sent.is_err() {
        return Err(io::ErrorKind::BrokenPipe.into());
    }

    if !permit.take_again().await {
        return Err(io::ErrorKind::TimedOut.into());
    }
    Ok(())
}

impl Sending {
    fn send(&mut self) -> io::Result<()> {
        let Some(sender) = &mut self.sender else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        if self.piece.is_empty() {
            return Ok(());
        }

        let piece = Bytes::from(std::mem::take(&mut self.piece));
        self.runtime
            .block_on(send_piece(sender, piece, &mut self.permit))
    }
}

impl Write for Sending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_accepted_by_its_name_and_weight() {
        for (accepted, takes) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip; Q=0.000", false),
            ("gzip;0", true),
            ("gzip;level=0", true),
            ("br", false),
            ("*", true),
            ("gzip;q=0, *", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));

            assert_eq!(takes_gzip(&headers), takes, "{accepted}");
        }
    }
}
