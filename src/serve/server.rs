//! The server: its socket, its connections and its end.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use stamma::error::{Error, Result};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Duration, sleep, timeout};

use super::assets;
use super::databases::Databases;
use super::engines::Engines;
use super::guard::Names;
use super::options::Options;
use super::permits::{MAX_STREAMS, Permits};
use super::respond::{Server, respond};
use super::route::AppState;
use super::routes::ROUTES;

/// The maximum number of connections; further connections wait until one ends.
const MAX_CONNECTIONS: usize = 512;
/// The maximum time in which a client sends the head of a request.
const MAX_HEAD_TIME: Duration = Duration::from_secs(10);
/// The maximum number of header lines of a request, and of bytes of its head.
const MAX_HEADERS: usize = 64;
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// The maximum life of a connection.
const MAX_LIFETIME: Duration = Duration::from_secs(15 * 60);
/// The time in which answers in progress may end when the server ends.
const GRACE: Duration = Duration::from_millis(500);
/// The pause between two looks for a signal.
const SIGNAL_PAUSE: Duration = Duration::from_millis(50);
/// The pause after a failed accept, as when no more files can be opened.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// The least number of answers that are made at once, on a machine with few processors.
const MIN_ANSWERS: usize = 4;
/// The maximum number of threads that read requests; they never wait.
const MAX_WORKERS: usize = 4;
/// The number of blocking threads beside the threads of answers in progress. A thread returns its permit shortly before
/// it is free. The request that gets the permit need not wait for that thread.
const SPARE_THREADS: usize = 2;

/// A server that has its address and its databases, but does not answer yet.
pub(crate) struct Bound {
    listener: TcpListener,
    /// The address, with the number of the port.
    pub(crate) address: SocketAddr,
}

/// Binds an address.
///
/// # Errors
/// When the address is in use, or not an address of this machine.
pub(crate) fn bind(address: SocketAddr) -> io::Result<Bound> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;

    // The system has chosen a port if none was given.
    let bound = listener.local_addr()?;
    Ok(Bound {
        listener,
        address: bound,
    })
}

/// Opens the databases and answers requests until `stop` is set; calls `ready` before the first one, with the files of
/// folders that cannot be served.
///
/// # Errors
/// When a database cannot be opened, or threads cannot be started.
pub(crate) fn run(
    bound: Bound,
    options: Options,
    stop: &AtomicBool,
    ready: impl FnOnce(&[(PathBuf, Error)]),
) -> Result<()> {
    let (databases, refused) = Databases::open(&options.databases, options.is_read_only)?;
    assets::prepare();
    let engines = start_engines(&options)?;

    let processors = std::thread::available_parallelism();
    let answers = processors.map_or(MIN_ANSWERS, usize::from).max(MIN_ANSWERS);
    let processes = options.engine.as_ref().map_or(0, |engine| engine.processes);
    let server = Arc::new(Server {
        state: AppState {
            databases,
            options,
            engines,
            routes: ROUTES,
        },
        permits: Arc::new(Permits::new(answers, processes)),
    });

    // Each answer in progress has a thread, also a stream without its permit and the search of an engine.
    let runtime = build_runtime(answers + MAX_STREAMS + processes).map_err(Error::Output)?;
    ready(&refused);
    runtime.block_on(serve_until_stopped(bound, server, stop));

    // An answer that does not end in this time is abandoned.
    runtime.shutdown_timeout(GRACE / 2);
    Ok(())
}

fn start_engines(options: &Options) -> Result<Option<Arc<Engines>>> {
    let Some(engine) = &options.engine else {
        return Ok(None);
    };
    match Engines::start(engine) {
        Ok(engines) => Ok(Some(Arc::new(engines))),
        Err(failure) => Err(Error::Engine {
            program: engine.program.clone(),
            failure,
        }),
    }
}

/// A runtime with threads for a number of answers in progress.
fn build_runtime(answers: usize) -> io::Result<Runtime> {
    let processors = std::thread::available_parallelism();
    let workers = processors.map_or(1, usize::from).min(MAX_WORKERS);

    Builder::new_multi_thread()
        .worker_threads(workers)
        .max_blocking_threads(answers + SPARE_THREADS)
        .enable_io()
        .enable_time()
        .build()
}

/// Answers requests until `stop` is set, and then waits for the end of connections, at most [`GRACE`].
async fn serve_until_stopped(bound: Bound, server: Arc<Server>, stop: &AtomicBool) {
    let Ok(listener) = tokio::net::TcpListener::from_std(bound.listener) else {
        return;
    };
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let (end, ending) = watch::channel(());

    tokio::select! {
        () = accept(&listener, bound.address, &server, &ending, &free) => {}
        () = wait_for_stop(stop) => {}
    }

    // No client can connect any more. When all connections have ended, all places are free.
    drop(listener);
    let _ = end.send(());
    let _ = timeout(GRACE, free.acquire_many(MAX_CONNECTIONS as u32)).await;
}

/// Accepts connections as long as there are free places.
async fn accept(
    listener: &tokio::net::TcpListener,
    address: SocketAddr,
    server: &Arc<Server>,
    ending: &watch::Receiver<()>,
    free: &Arc<Semaphore>,
) {
    loop {
        let Ok(place) = Arc::clone(free).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                let server = Arc::clone(server);
                tokio::spawn(serve_connection(
                    stream,
                    address,
                    server,
                    ending.clone(),
                    place,
                ));
            }
            Err(_) => sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Returns when `stop` is set.
async fn wait_for_stop(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        sleep(SIGNAL_PAUSE).await;
    }
}

/// Answers the requests of a connection, until it ends or the server ends.
async fn serve_connection(
    stream: TcpStream,
    bound: SocketAddr,
    server: Arc<Server>,
    mut ending: watch::Receiver<()>,
    _place: OwnedSemaphorePermit,
) {
    let Ok(own) = stream.local_addr() else { return };

    // Small answers leave at once.
    let _ = stream.set_nodelay(true);

    let service = service_fn(|request| {
        let server = Arc::clone(&server);
        async move {
            let names = Names {
                own,
                bound,
                allowed: &server.state.options.hosts,
            };
            Ok::<_, Infallible>(respond(&server, names, request).await)
        }
    });

    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(MAX_HEAD_TIME)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut serving = pin!(serving);

    tokio::select! {
        // A client that breaks the rules of HTTP, or leaves, gets no further answer.
        _ = serving.as_mut() => return,
        _ = ending.changed() => {}
        () = sleep(MAX_LIFETIME) => {}
    }

    // The answer in progress is still sent, and then no further request is read.
    serving.as_mut().graceful_shutdown();
    let _ = timeout(MAX_LIFETIME, serving).await;
}
