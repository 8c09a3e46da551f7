//! A running `stamma serve`, and requests to it over a plain socket.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::program::Workplace;

/// How long an answer may take before a test fails: far longer than any.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that is ended when this is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// Names in lower case, with their values.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Server {
    /// Starts `stamma serve` with arguments separated by spaces, at a free port unless they name one.
    pub(crate) fn start(work: &Workplace, arguments: &str) -> Server {
        Server::start_by(Command::new(env!("CARGO_BIN_EXE_stamma")), work, arguments)
    }

    /// Starts the server by a command of the program, which may have an environment of its own.
    pub(crate) fn start_by(mut command: Command, work: &Workplace, arguments: &str) -> Server {
        command
            .current_dir(work.path(""))
            .arg("serve")
            .args(arguments.split_whitespace());
        if !arguments.contains("--bind") {
            command.args(["--bind", "127.0.0.1:0"]);
        }
        Server::start_command(command)
    }

    /// The server of a command, which prints its address first.
    pub(crate) fn start_command(mut command: Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a server");
        // Its first line is its address, which has a port that was free.
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut line).expect("a line");

        let url = line.trim();
        let host = url
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix('/'));
        let address = host.and_then(|host| host.parse().ok());
        Server {
            child,
            address: address.unwrap_or_else(|| panic!("an address in {line:?}")),
        }
    }

    /// A connection.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("a time limit");
        stream
            .set_write_timeout(Some(PATIENCE))
            .expect("a time limit");
        stream
    }

    /// Sends bytes, and returns what the server sends: a whole response, or less if it closes the connection. After
    /// bytes that end no head, the client leaves.
    pub(crate) fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may refuse what it has seen of it, and close.
        let _ = stream.write_all(bytes);

        let mut windows = bytes.windows(4);
        let is_head_whole = windows.any(|window| window == b"\r\n\r\n");
        if !is_head_whole {
            let _ = stream.shutdown(Shutdown::Write);
        }

        let mut answer = Vec::new();
        let mut buffer = [0; 16 * 1024];
        while !Response::is_whole(&answer) {
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => answer.extend_from_slice(&buffer[..length]),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
                Err(error) => panic!("the connection hangs: {error}"),
            }
        }
        answer
    }

    /// Sends a request with a method and header lines.
    pub(crate) fn request(&self, method: &str, target: &str, headers: &[&str]) -> Response {
        let mut text = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
        let is_host = |header: &&str| header.to_lowercase().starts_with("host:");
        if !headers.iter().any(is_host) {
            text += &format!("Host: {}\r\n", self.address);
        }
        for header in headers {
            text += &format!("{header}\r\n");
        }
        text += "\r\n";

        let mut stream = self.connect();
        // The server may refuse what it has seen of it, and close.
        let _ = stream.write_all(text.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Response::read(&answer).unwrap_or_else(|| panic!("no answer to {method} {target}"))
    }

    pub(crate) fn get(&self, target: &str) -> Response {
        self.request("GET", target, &[])
    }

    /// The answer to a question about a text, which is sent as PGN.
    pub(crate) fn post(&self, target: &str, text: &str) -> Response {
        self.post_from(target, text, "")
            .unwrap_or_else(|| panic!("no answer to POST {target}"))
    }

    /// Posts a text for the page of an origin; `None` if the server ends meanwhile.
    pub(crate) fn post_from(&self, target: &str, text: &str, origin: &str) -> Option<Response> {
        let origin_header = if origin.is_empty() {
            String::new()
        } else {
            format!("Origin: {origin}\r\n")
        };
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{origin_header}\
             Content-Type: application/x-chess-pgn\r\nContent-Length: {}\r\n\r\n",
            self.address,
            text.len()
        );

        let mut stream = TcpStream::connect(self.address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        // The server may refuse what it has seen of it, and close.
        let _ = stream.write_all((head + text).as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Response::read(&answer)
    }

    /// Ends the server without a chance to finish anything.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("an end");
        self.child.wait().expect("an end");
    }

    /// The JSON of an answer that must succeed.
    pub(crate) fn json(&self, target: &str) -> serde_json::Value {
        let response = self.get(target);
        assert_eq!(response.status, 200, "{target}: {}", response.text());
        serde_json::from_slice(&response.body).expect(target)
    }

    /// The sentence of an answer that must fail.
    pub(crate) fn refusal(&self, target: &str) -> (u16, String) {
        let response = self.get(target);
        (response.status, response.text())
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a state").is_none()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server has ended.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            let state = self.child.try_wait().expect("a state");
            if let Some(status) = state {
                return status;
            }

            assert!(Instant::now() < end, "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Response {
    /// Reads a response; `None` if there is none.
    pub(crate) fn read(bytes: &[u8]) -> Option<Response> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let body = &bytes[end + 4..];

        let mut lines = head.split("\r\n");
        let status_line = lines.next()?.strip_prefix("HTTP/1.1 ")?;
        let status = status_line.get(..3)?.parse().ok()?;
        let mut headers = Vec::new();
        for line in lines {
            if let Some((name, value)) = line.split_once(':') {
                headers.push((name.to_lowercase(), value.trim().to_owned()));
            }
        }

        let mut response = Response {
            status,
            headers,
            body: Vec::new(),
        };
        response.body = if response.header("transfer-encoding") == Some("chunked") {
            chunks(body)?
        } else {
            body.to_vec()
        };
        Some(response)
    }

    /// `true` if bytes have a response with all of its body.
    fn is_whole(bytes: &[u8]) -> bool {
        let Some(response) = Response::read(bytes) else {
            return false;
        };

        let length = response.header("content-length");
        if let Some(length) = length.and_then(|length| length.parse::<usize>().ok()) {
            return response.body.len() >= length;
        }
        // A body in chunks has been read to its last chunk, and 304 Not Modified has no body.
        let is_chunked = response.header("transfer-encoding") == Some("chunked");
        is_chunked || response.status == 304
    }

    /// The first value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(other, _)| other == name);
        header.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// The body of a response that comes in chunks; `None` if it is cut off.
fn chunks(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let end = body.windows(2).position(|window| window == b"\r\n")?;
        let digits = std::str::from_utf8(&body[..end]).ok()?;
        let length = usize::from_str_radix(digits, 16).ok()?;
        body = &body[end + 2..];
        if length == 0 {
            return Some(whole);
        }

        // A line break follows the bytes of a chunk.
        whole.extend_from_slice(body.get(..length)?);
        body = body.get(length + 2..)?;
    }
}
