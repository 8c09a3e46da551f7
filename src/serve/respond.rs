//! Responds to requests: checks the request, finds the route, and runs the handler on a blocking thread.

use std::cell::LazyCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{ALLOW, CONNECTION};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use stamma::error::Error;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::{Duration, timeout};

use super::answer::Answer;
use super::assets::asset;
use super::budget::{Budget, CancelOnDrop};
use super::cors;
use super::databases::ChosenDatabases;
use super::engines::{engine_is_busy, usable_engines};
use super::failure::Failure;
use super::guard::{self, Names, TEXT_BYTES};
use super::parameters::Parameters;
use super::permits::{Permit, Permits, StreamPermit};
use super::route::{
    AppState, ChangeRequest, Handler, Interface, Joined, Request as RouteRequest, Route,
};
use super::send::{self, Content, RequestConditions};

/// The maximum time until a client has sent a text.
const TEXT_TIME: Duration = Duration::from_secs(10);

/// A text that was sent, with its permit. The permit bounds the memory of texts, so it lasts as long as the text.
struct SentText {
    text: String,
    _permit: OwnedSemaphorePermit,
}

/// The values that all connections share.
pub(super) struct Server {
    pub(super) state: AppState,
    pub(super) permits: Arc<Permits>,
}

/// The response to a request.
pub(super) async fn respond(
    server: &Arc<Server>,
    names: Names<'_>,
    request: Request<Incoming>,
) -> Response<Content> {
    let state = &server.state;
    let path = request.uri().path();
    let interface = interface_of(path);
    let found = find_route(state, path);
    let route = found.as_ref().map(|(route, _)| *route);
    let takes_text = route.is_some_and(Route::takes_text);

    let checked = check_request(state, route, &names, &request);
    let is_allowed = checked.is_ok();
    let is_local = names.own.ip().to_canonical().is_loopback();

    let (head, body) = request.into_parts();
    let answered = match checked {
        Err(failure) => Err(failure),
        Ok(()) if head.method == Method::OPTIONS => Ok(cors::preflight(takes_text)),
        Ok(()) if takes_text => match read_text(server, body).await {
            Ok(text) => answer_request(server, found, &head, Some(text), is_local).await,
            Err(failure) => Err(failure),
        },
        Ok(()) => answer_request(server, found, &head, None, is_local).await,
    };
    let mut response = match answered {
        Ok(response) => response,
        Err(failure) => send::failure_response(&failure, interface),
    };
    send::add_common_headers(&mut response);

    // A page whose request was rejected must not read why.
    if is_allowed {
        let origins = &state.options.origins;
        cors::allow(origins, takes_text, &head.headers, &mut response);
    } else if response.status() == StatusCode::METHOD_NOT_ALLOWED && takes_text {
        send::set_header(&mut response, ALLOW, cors::methods(takes_text));
    }

    // The rest of a body that was rejected is not read, so the connection cannot be used again.
    let is_rejected_post = !is_allowed && head.method == Method::POST;
    if is_rejected_post || response.status() == StatusCode::PAYLOAD_TOO_LARGE {
        send::set_header(&mut response, CONNECTION, "close");
    }
    response
}

/// The interface to which a path belongs, even if it has no route.
fn interface_of(path: &str) -> Interface {
    if path.starts_with("/api/") {
        Interface::Own
    } else {
        Interface::Explorer
    }
}

/// The route of a path, and the part of the path at `{id}`; `None` if no route matches.
fn find_route(state: &AppState, path: &str) -> Option<(&'static Route, String)> {
    state.routes.iter().find_map(|route| {
        let id = route.matches(path)?;
        Some((route, id.to_owned()))
    })
}

/// Rejects a request by the rules of [`guard`] for its route.
fn check_request(
    state: &AppState,
    route: Option<&Route>,
    names: &Names<'_>,
    request: &Request<Incoming>,
) -> Result<(), Failure> {
    let options = &state.options;
    let takes_text = route.is_some_and(Route::takes_text);
    guard::check(request, names, &options.origins, takes_text)?;

    if route.is_some_and(Route::is_change) {
        guard::check_change(request.headers(), options.is_writable)?;
    }
    Ok(())
}

/// The text of a body, whose length has been checked; bytes that are not UTF-8 are replaced.
async fn read_text(server: &Server, body: Incoming) -> Result<SentText, Failure> {
    // The time limit of the text begins only after the wait for a permit.
    let Some(permit) = server.permits.take_text().await else {
        return Err(server_is_busy());
    };

    let reading = Limited::new(body, TEXT_BYTES).collect();
    let bytes = match timeout(TEXT_TIME, reading).await {
        Ok(Ok(collected)) => collected.to_bytes(),
        Ok(Err(_)) => return Err(Failure::bad_request("the text was cut off")),
        Err(_) => {
            return Err(Failure {
                status: StatusCode::REQUEST_TIMEOUT,
                sentence: "the text did not come in time".to_owned(),
            });
        }
    };

    Ok(SentText {
        text: String::from_utf8_lossy(&bytes).into_owned(),
        _permit: permit,
    })
}

/// The response with a file of the page, or with the answer of a route. `found` has the part of the path at `{id}`,
/// too.
async fn answer_request(
    server: &Arc<Server>,
    found: Option<(&'static Route, String)>,
    head: &Parts,
    text: Option<SentText>,
    is_local: bool,
) -> Result<Response<Content>, Failure> {
    let conditions = RequestConditions::read(&head.headers);
    if let Some(asset) = asset(head.uri.path()) {
        return Ok(send::asset_response(asset, &conditions));
    }

    let Some((route, id)) = found else {
        return Err(Failure::not_found("there is nothing at this address"));
    };
    let parameters = Parameters::read(head.uri.query().unwrap_or_default());
    check_repeated(&server.state, route, &parameters)?;

    let databases = &server.state.databases;
    let chosen = databases.choose(route.named_by(), &parameters, id)?;

    // A bad request fails before it waits for a permit.
    let route_permit = take_permit(server, route, is_local).await?;

    let budget = Budget::new();
    let cancel = CancelOnDrop(Arc::clone(&budget));
    let work = Work {
        server: Arc::clone(server),
        chosen,
        route,
        parameters,
        text,
        conditions,
        budget,
        is_local,
    };

    // When the client disconnects, this future is dropped, which cancels an answer in memory. A streamed answer
    // continues after this function has returned, so it is cancelled when its body is dropped.
    match route_permit {
        RoutePermit::Whole(permit) => {
            let answered = run_on_thread(work, None, Some(permit)).await;
            drop(cancel);
            answered
        }
        RoutePermit::Stream(permit) => {
            let streaming = Streaming { cancel, permit };
            run_on_thread(work, Some(streaming), None).await
        }
    }
}

/// Runs the work on a blocking thread, and returns its response.
async fn run_on_thread(
    work: Work,
    streaming: Option<Streaming>,
    permit: Option<Permit>,
) -> Result<Response<Content>, Failure> {
    let (respond, response) = oneshot::channel();
    tokio::task::spawn_blocking(move || {
        work.run(streaming, respond);
        drop(permit);
    });

    match response.await {
        Ok(answered) => answered,
        // A panic has ended the work without a response.
        Err(_) => Err(Failure {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            sentence: "the answer failed".to_owned(),
        }),
    }
}

/// The permit of a route.
enum RoutePermit {
    /// For an answer in memory.
    Whole(Permit),
    /// For an answer that is sent piece by piece.
    Stream(StreamPermit),
}

/// Waits for the permit of a route.
async fn take_permit(
    server: &Server,
    route: &Route,
    is_local: bool,
) -> Result<RoutePermit, Failure> {
    let permits = &server.permits;
    match route.handler {
        Handler::OfEngine(..) => {
            // A client that must not use the engine need not wait for it.
            usable_engines(server.state.engines.as_ref(), is_local)?;
            let Some(permit) = permits.take_engine().await else {
                return Err(engine_is_busy());
            };
            Ok(RoutePermit::Stream(permit))
        }
        Handler::Streamed(..) => {
            let Some(permit) = permits.take_stream(route.weight).await else {
                return Err(server_is_busy());
            };
            Ok(RoutePermit::Stream(permit))
        }
        _ => {
            let Some(permit) = permits.take_permit(route.weight).await else {
                return Err(server_is_busy());
            };
            Ok(RoutePermit::Whole(permit))
        }
    }
}

/// The failure of a request that no permit is free for.
fn server_is_busy() -> Failure {
    Failure::unavailable("the server is busy; try again")
}

/// Rejects parameters that are given several times, except options of a search that may be repeated.
fn check_repeated(state: &AppState, route: &Route, parameters: &Parameters) -> Result<(), Failure> {
    // Hardly any request repeats a parameter, so the options are described only when a request does.
    let options = LazyCell::new(|| {
        if route.description.has_filters {
            (state.options.search_options)()
        } else {
            Vec::new()
        }
    });

    for name in parameters.repeated_names() {
        let may_repeat = options
            .iter()
            .any(|option| option.is_repeated && option.name == name);
        if !may_repeat {
            let sentence = format!("the parameter {name} is given twice");
            return Err(Failure::bad_request(sentence));
        }
    }
    Ok(())
}

/// The channel for the response of a request.
type Respond = oneshot::Sender<Result<Response<Content>, Failure>>;

/// The work for one answer, on a blocking thread.
struct Work {
    server: Arc<Server>,
    chosen: ChosenDatabases,
    route: &'static Route,
    parameters: Parameters,
    /// The text with its permit, until the answer is made.
    text: Option<SentText>,
    conditions: RequestConditions,
    budget: Arc<Budget>,
    /// `true` if the request comes from this computer.
    is_local: bool,
}

/// The permit of an answer that is sent piece by piece, and the cancellation of its work.
struct Streaming {
    /// Ends the work when the body is dropped.
    cancel: CancelOnDrop,
    permit: StreamPermit,
}

impl Work {
    /// Makes the answer, and sends the response or a failure.
    fn run(self, mut streaming: Option<Streaming>, respond: Respond) {
        let mut respond = Some(respond);
        let request = RouteRequest {
            state: &self.server.state,
            route: self.route,
            parameters: &self.parameters,
            id: &self.chosen.id,
            budget: &self.budget,
            is_local: self.is_local,
        };

        let answered = match self.route.handler {
            Handler::OfEngine(content_type, answer) => match answer(&request) {
                Ok(writing) => {
                    self.stream(content_type, writing, &mut streaming, &mut respond);
                    Ok(())
                }
                Err(failure) => Err(failure),
            },
            Handler::Change(change) => self.change(request, change, &mut respond),
            _ => self.answer_joined(request, &mut streaming, &mut respond),
        };

        if let Err(failure) = answered {
            // Interrupted work may fail with any message. If a stream has not begun, `streaming` still holds the value
            // that cancels the budget, so the budget is not yet cancelled here.
            let mut reported = if self.budget.is_over() {
                Failure::too_much_work()
            } else {
                failure
            };
            for pool in &self.chosen.pools {
                reported = reported.without_folder(pool.path());
            }
            send_once(&mut respond, Err(reported));
        }
        drop(streaming);
    }

    /// Answers the request by all chosen databases.
    fn answer_joined(
        &self,
        request: RouteRequest<'_>,
        streaming: &mut Option<Streaming>,
        respond: &mut Option<Respond>,
    ) -> Result<(), Failure> {
        let joined = Joined::begin(request, &self.chosen)?;
        match self.answer_from_snapshots(&joined, streaming, respond) {
            Ok(()) => Ok(()),
            Err(failure) => Err(joined.explain(failure)),
        }
    }

    /// Changes the one database of the request.
    fn change(
        &self,
        request: RouteRequest<'_>,
        change: fn(&ChangeRequest<'_>, &str) -> Result<Answer, Failure>,
        respond: &mut Option<Respond>,
    ) -> Result<(), Failure> {
        let [pool] = &self.chosen.pools[..] else {
            let names = self.server.state.databases.names().join(" or db=");
            let sentence = format!("one database is changed at a time; add db={names}");
            return Err(Failure::bad_request(sentence));
        };

        let text = self.text.as_ref().map_or("", |sent| &sent.text);
        let change_request = ChangeRequest {
            common: request,
            pool,
        };
        let answer = change(&change_request, text)?;
        let response = send::whole_response(answer, &self.conditions);
        send_once(respond, Ok(response));
        Ok(())
    }

    /// Answers the request, unless it fails before anything is sent.
    fn answer_from_snapshots(
        &self,
        joined: &Joined<'_>,
        streaming: &mut Option<Streaming>,
        respond: &mut Option<Respond>,
    ) -> Result<(), Failure> {
        let answer = match self.route.handler {
            Handler::Whole(answer) | Handler::OfAll(answer) => answer(joined)?,
            Handler::OfOne(answer) => joined.single(answer)?,
            Handler::OfText(answer) => {
                let text = self.text.as_ref().map_or("", |sent| &sent.text);
                answer(joined, text)?
            }
            Handler::Streamed(content_type, answer) => {
                let writing = answer(joined)?;
                self.stream(content_type, |out| writing(joined, out), streaming, respond);
                return Ok(());
            }
            // A change and an engine need no snapshot, so `run` has answered them.
            Handler::Change(_) | Handler::OfEngine(..) => {
                unreachable!("this request is answered without a snapshot")
            }
        };

        let response = send::whole_response(answer, &self.conditions);
        send_once(respond, Ok(response));
        Ok(())
    }

    /// Sends the head of the response, and then the body while it is written.
    fn stream(
        &self,
        content_type: &'static str,
        writing: impl FnOnce(&mut dyn io::Write) -> stamma::Result<()>,
        streaming: &mut Option<Streaming>,
        respond: &mut Option<Respond>,
    ) {
        let Some(Streaming { cancel, permit }) = streaming.take() else {
            return;
        };

        // The head is sent before the body is complete, so a failure from here on truncates the body.
        let (response, writer) =
            send::streamed_response(content_type, &self.conditions, cancel, permit);
        send_once(respond, Ok(response));
        write_body(writing, writer);
    }
}

/// Sends the response, unless one has been sent.
fn send_once(respond: &mut Option<Respond>, response: Result<Response<Content>, Failure>) {
    if let Some(respond) = respond.take() {
        // Sending fails if the client has disconnected.
        let _ = respond.send(response);
    }
}

/// Writes a body, and ends it. After a failure or a panic, the client sees that the body is incomplete.
fn write_body(
    writing: impl FnOnce(&mut dyn io::Write) -> stamma::Result<()>,
    mut writer: send::PieceWriter,
) {
    // A body that a panic truncates must not look complete. The panic hook has already printed the panic.
    let caught = catch_unwind(AssertUnwindSafe(|| writing(&mut writer)));
    let written = match caught {
        Ok(Ok(())) => Ok(()),
        // The client has disconnected, or reads no further.
        Ok(Err(Error::Output(error))) => Err(error),
        Ok(Err(other)) => Err(io::Error::other(other)),
        Err(_) => Err(io::Error::other("the answer failed")),
    };

    writer.finish(written);
}
