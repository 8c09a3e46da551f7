//! From a request to its response: checks, the route, and the work on a thread that may wait.

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
use super::databases::Chosen;
use super::engines::{engine_is_busy, usable_engines};
use super::failure::Failure;
use super::guard::{self, Names, TEXT_BYTES};
use super::parameters::Parameters;
use super::permits::{Permits, StreamPermit};
use super::route::{
    AppState, ChangeRequest, Handler, Interface, Joined, Request as RouteRequest, Route,
};
use super::send::{self, Content, RequestConditions};

/// The time in which a client must have sent a text.
const TEXT_TIME: Duration = Duration::from_secs(10);

/// A text that was sent, with its permit: others wait until it is forgotten.
struct SentText {
    text: String,
    _permit: OwnedSemaphorePermit,
}

/// What connections share.
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
    let path = request.uri().path();
    let interface = match path.starts_with("/api/") {
        true => Interface::Own,
        false => Interface::Explorer,
    };
    let found = server
        .state
        .routes
        .iter()
        .find_map(|route| Some((route, route.matches(path)?)));
    let found = found.map(|(route, id)| (route, id.to_owned()));
    let takes_text = found.as_ref().is_some_and(|(route, _)| route.takes_text());
    let mut checked = guard::check(&request, &names, &server.state.options.origins, takes_text);
    if found.as_ref().is_some_and(|(route, _)| route.is_change()) {
        let is_writable = server.state.options.is_writable;
        checked = checked.and_then(|()| guard::check_change(request.headers(), is_writable));
    }
    let is_allowed = checked.is_ok();
    let is_local = names.own.ip().to_canonical().is_loopback();
    let (head, body) = request.into_parts();
    let answered = match checked {
        Ok(()) if head.method == Method::OPTIONS => Ok(cors::preflight(takes_text)),
        Ok(()) => match takes_text.then_some(body) {
            Some(body) => match text(server, body).await {
                Ok(text) => answer(server, found, &head, Some(text), is_local).await,
                Err(failure) => Err(failure),
            },
            None => answer(server, found, &head, None, is_local).await,
        },
        Err(failure) => Err(failure),
    };
    let mut response = answered.unwrap_or_else(|failure| send::failure(&failure, interface));
    send::finish(&mut response);
    if is_allowed {
        cors::allow(
            &server.state.options.origins,
            takes_text,
            &head.headers,
            &mut response,
        );
    } else if response.status() == StatusCode::METHOD_NOT_ALLOWED && takes_text {
        send::set(&mut response, ALLOW, cors::methods(takes_text));
    }
    if !is_allowed && head.method == Method::POST
        || response.status() == StatusCode::PAYLOAD_TOO_LARGE
    {
        // What is left of a body is not read.
        send::set(&mut response, CONNECTION, "close");
    }
    response
}

/// The text of a body, whose length has been checked; bytes that are not UTF-8 are replaced.
async fn text(server: &Server, body: Incoming) -> Result<SentText, Failure> {
    let late = || Failure {
        status: StatusCode::REQUEST_TIMEOUT,
        sentence: "the text did not come in time".to_owned(),
    };
    let broken = |_| Failure::bad_request("the text was cut off");
    // Others that are slow must not take the time of this one.
    let permit = server.permits.take_text().await.ok_or_else(busy)?;
    let reading = Limited::new(body, TEXT_BYTES).collect();
    let read = timeout(TEXT_TIME, reading)
        .await
        .map_err(|_| late())?
        .map_err(broken)?;
    Ok(SentText {
        text: String::from_utf8_lossy(&read.to_bytes()).into_owned(),
        _permit: permit,
    })
}

async fn answer(
    server: &Arc<Server>,
    found: Option<(&'static Route, String)>,
    head: &Parts,
    text: Option<SentText>,
    is_local: bool,
) -> Result<Response<Content>, Failure> {
    let conditions = RequestConditions::of(&head.headers);
    if let Some(asset) = asset(head.uri.path()) {
        return Ok(send::file(asset, &conditions));
    }
    let (route, id) =
        found.ok_or_else(|| Failure::not_found("there is nothing at this address"))?;
    let parameters = Parameters::read(head.uri.query().unwrap_or_default());
    check_repeated(&server.state, route, &parameters)?;
    let chosen = server
        .state
        .databases
        .chosen(route.named_by(), &parameters, id)?;
    let permits = &server.permits;
    let (permit, stream_permit) = match route.handler {
        Handler::OfEngine(..) => {
            usable_engines(server.state.engines.as_ref(), is_local)?;
            let permit = permits.take_engine().await;
            (None, Some(permit.ok_or_else(engine_is_busy)?))
        }
        Handler::Streamed(..) => (
            None,
            Some(permits.take_stream(route.weight).await.ok_or_else(busy)?),
        ),
        _ => (
            Some(permits.take(route.weight).await.ok_or_else(busy)?),
            None,
        ),
    };
    let (respond, response) = oneshot::channel();
    let budget = Budget::new();
    let cancel = CancelOnDrop(Arc::clone(&budget));
    let server = Arc::clone(server);
    let work = Work {
        server,
        chosen,
        route,
        parameters,
        text,
        conditions,
        budget,
        is_local,
    };
    // A streamed answer goes on when this function has returned, so it is cancelled by the end of its body.
    let (kept, passed_on) = match stream_permit {
        Some(permit) => (None, Some(Streaming { cancel, permit })),
        None => (Some(cancel), None),
    };
    tokio::task::spawn_blocking(move || {
        work.run(passed_on, respond);
        drop(permit);
    });
    let response = response.await;
    drop(kept);
    response.unwrap_or_else(|_| {
        Err(Failure {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            sentence: "the answer failed".to_owned(),
        })
    })
}

fn busy() -> Failure {
    Failure::unavailable("the server is busy; try again")
}

/// Refuses parameters that are given several times, except those of which each value counts.
fn check_repeated(state: &AppState, route: &Route, parameters: &Parameters) -> Result<(), Failure> {
    let options = LazyCell::new(|| match route.description.has_filters {
        true => (state.options.search_options)(),
        false => Vec::new(),
    });
    let may = |name: &str| {
        options
            .iter()
            .any(|option| option.is_repeated && option.name == name)
    };
    match parameters.repeated().find(|name| !may(name)) {
        Some(name) => Err(Failure::bad_request(format!(
            "the parameter {name} is given twice"
        ))),
        None => Ok(()),
    }
}

type Respond = oneshot::Sender<Result<Response<Content>, Failure>>;

/// The work for one answer, on a thread that may wait.
struct Work {
    server: Arc<Server>,
    chosen: Chosen,
    route: &'static Route,
    parameters: Parameters,
    /// The text, which with its permit lasts until the answer is made.
    text: Option<SentText>,
    conditions: RequestConditions,
    budget: Arc<Budget>,
    /// `true` if the request comes from this computer.
    is_local: bool,
}

/// What an answer that is sent piece by piece needs besides.
struct Streaming {
    /// Ends the work when the body is dropped.
    cancel: CancelOnDrop,
    permit: StreamPermit,
}

impl Work {
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
            Handler::OfEngine(content_type, answer) => answer(&request).map(|writing| {
                self.stream(content_type, writing, &mut streaming, &mut respond);
            }),
            Handler::Change(change) => self.change(request, change, &mut respond),
            _ => Joined::begin(request, &self.chosen).and_then(|joined| {
                let answered = self.answer(&joined, &mut streaming, &mut respond);
                answered.map_err(|failure| joined.explained(failure))
            }),
        };
        if let Err(failure) = answered {
            // Work that was interrupted may have failed with any message. Of a stream that has not begun, what cancels the
            // work is still held.
            let is_over = self.budget.is_over();
            let told = if is_over {
                Failure::too_much_work()
            } else {
                failure
            };
            let pools = self.chosen.pools.iter();
            let told = pools.fold(told, |told, pool| told.without_folder(pool.path()));
            tell(&mut respond, Err(told));
        }
        drop(streaming);
    }

    /// Changes the one database of the request.
    fn change(
        &self,
        request: RouteRequest<'_>,
        change: fn(&ChangeRequest<'_>, &str) -> Result<Answer, Failure>,
        respond: &mut Option<Respond>,
    ) -> Result<(), Failure> {
        let [pool] = &self.chosen.pools[..] else {
            let names = self.server.state.databases.names();
            return Err(Failure::bad_request(format!(
                "one database is changed at a time; add db={}",
                names.join(" or db=")
            )));
        };
        let text = self.text.as_ref().map_or("", |sent| &sent.text);
        let answer = change(
            &ChangeRequest {
                common: request,
                pool,
            },
            text,
        )?;
        tell(respond, Ok(send::whole(answer, &self.conditions)));
        Ok(())
    }

    /// Answers the request, unless it fails before anything is sent.
    fn answer(
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
            // Changes have no snapshot, and are made before one is taken.
            Handler::Change(_) => return Ok(()),
            Handler::Streamed(content_type, answer) => {
                let writing = answer(joined)?;
                self.stream(content_type, |out| writing(joined, out), streaming, respond);
                return Ok(());
            }
            // Answered without a database.
            Handler::OfEngine(..) => return Ok(()),
        };
        tell(respond, Ok(send::whole(answer, &self.conditions)));
        Ok(())
    }

    /// Sends the head of the response, and its body as it is written.
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
        let (response, writer) = send::pieces(content_type, &self.conditions, cancel, permit);
        tell(respond, Ok(response));
        write(writing, writer);
    }
}

/// Sends the response, unless one has been sent.
fn tell(respond: &mut Option<Respond>, response: Result<Response<Content>, Failure>) {
    if let Some(respond) = respond.take() {
        // Nobody waits for it if the client has gone.
        let _ = respond.send(response);
    }
}

fn write(
    writing: impl FnOnce(&mut dyn io::Write) -> stamma::Result<()>,
    mut writer: send::PieceWriter,
) {
    // An answer that a bug cuts short must not look complete; the panic hook has printed what it is.
    let written = catch_unwind(AssertUnwindSafe(|| writing(&mut writer)));
    let written = match written {
        Ok(written) => written.map_err(|error| match error {
            Error::Output(error) => error,
            other => io::Error::other(other),
        }),
        Err(_) => Err(io::Error::other("the answer failed")),
    };
    writer.finish(written);
}
