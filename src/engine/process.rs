//! A child process whose output is read line by line, within bounds, and which ends with its owner.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::failure::beginning;

/// A longer line is not read. A line of 250 moves takes a fiftieth of it.
pub(super) const MAX_LINE_BYTES: usize = 64 << 10;
/// The lines that wait to be taken; an engine that writes more waits.
const MAX_WAITING_LINES: usize = 256;
/// How long an engine may take to end after `quit`.
const QUIT_TIME: Duration = Duration::from_millis(300);
/// How often the end of a process is asked for.
const QUIT_POLL: Duration = Duration::from_millis(2);

/// What a process has written next.
pub(super) enum Output {
    /// A line without its end. Bytes that are not UTF-8 are replaced.
    Line(String),
    /// A line that is too long; nothing is read after it.
    LongLine,
    /// The end of its output.
    End,
    /// Nothing, until the deadline.
    Nothing,
}

/// A running process.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// `None` once it is told to quit.
    input: Option<ChildStdin>,
    lines: Receiver<Result<String, LongLine>>,
    last_error: Arc<Mutex<String>>,
    /// Reads its standard error.
    listener: Option<JoinHandle<()>>,
    is_finished: bool,
}

/// A line was too long.
#[derive(Debug)]
struct LongLine;

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(program: &Path) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        in_own_group(&mut command);
        let mut child = command.spawn()?;

        let input = child.stdin.take();
        let (sender, lines) = sync_channel(MAX_WAITING_LINES);
        // These threads end when the pipes do, at the latest when the process is killed.
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || read_lines(output, &sender));
        }
        let last_error = Arc::new(Mutex::new(String::new()));
        let listener = child.stderr.take().map(|errors| {
            let last_error = Arc::clone(&last_error);
            thread::spawn(move || keep_last_line(errors, &last_error))
        });
        Ok(Process {
            child,
            input,
            lines,
            last_error,
            listener,
            is_finished: false,
        })
    }

    /// Writes a line to its standard input. A process that has ended is noticed by its output.
    pub(super) fn write_line(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(format!("{line}\n").as_bytes());
        }
    }

    /// Waits for its next output.
    pub(super) fn next(&self, deadline: Instant) -> Output {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(Ok(line)) => Output::Line(line),
            Ok(Err(LongLine)) => Output::LongLine,
            Err(RecvTimeoutError::Disconnected) => Output::End,
            Err(RecvTimeoutError::Timeout) => Output::Nothing,
        }
    }

    /// How a process ended whose output has ended, if by itself, and the last line of its standard error.
    pub(super) fn end(&mut self) -> (Option<ExitStatus>, String) {
        let status = self.finish();
        // What it has said is read soon after its end, unless somebody else holds the pipe open.
        let deadline = Instant::now() + QUIT_TIME;
        let is_listening = |process: &Process| {
            process
                .listener
                .as_ref()
                .is_some_and(|it| !it.is_finished())
        };
        while is_listening(self) && Instant::now() < deadline {
            thread::sleep(QUIT_POLL);
        }
        let said = self
            .last_error
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        (status, said.clone())
    }

    /// Gives the process a moment to end, kills it and what it has started, and returns how it ended by itself.
    fn finish(&mut self) -> Option<ExitStatus> {
        if self.is_finished {
            return None;
        }
        self.is_finished = true;
        self.input = None;

        let deadline = Instant::now() + QUIT_TIME;
        let mut has_ended = has_ended(&mut self.child);
        while !has_ended && Instant::now() < deadline {
            thread::sleep(QUIT_POLL);
            has_ended = self::has_ended(&mut self.child);
        }
        // Its number cannot belong to another process before it is waited for.
        kill_group(&self.child);
        if !has_ended {
            let _ = self.child.kill();
        }
        let status = self.child.wait().ok();
        status.filter(|_| has_ended)
    }
}

/// Tells the process to quit, and kills it unless it does.
impl Drop for Process {
    fn drop(&mut self) {
        self.write_line("quit");
        self.finish();
    }
}

/// Whether a process has ended, whose number is kept until it is waited for.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};

    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let Some(number) = number(child) else {
        return true;
    };
    // Without an answer, there is no such process.
    waitid(WaitId::Pid(number), options).is_ok_and(|status| status.is_some())
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}

#[cfg(unix)]
fn number(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
}

/// Starts a program in a process group of its own: Control-C does not reach it, so that it is told to quit, and programs
/// that it starts can be killed with it.
#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// Kills what a process has started and left: a script that runs an engine, for example.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Signal, kill_process_group};

    if let Some(group) = number(child) {
        // Most of the time, nobody is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

/// Sends lines until there is no more output, a line is too long, or nobody takes them.
fn read_lines(output: impl Read, lines: &SyncSender<Result<String, LongLine>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output
            .by_ref()
            .take(MAX_LINE_BYTES as u64 + 1)
            .read_until(b'\n', &mut line);
        let is_end = !matches!(read, Ok(bytes) if bytes > 0);
        if is_end {
            return;
        }

        let is_long = line.len() > MAX_LINE_BYTES;
        let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let sent = lines.send(if is_long { Err(LongLine) } else { Ok(line) });
        if is_long || sent.is_err() {
            return;
        }
    }
}

/// Reads a stream to its end, and keeps the beginning of its last line.
fn keep_last_line(errors: impl Read, last: &Mutex<String>) {
    let mut errors = BufReader::new(errors);
    loop {
        let mut line = Vec::new();
        let read = errors
            .by_ref()
            .take(MAX_LINE_BYTES as u64)
            .read_until(b'\n', &mut line);
        let is_end = !matches!(read, Ok(bytes) if bytes > 0);
        if is_end {
            return;
        }

        let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        if !line.is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = beginning(&line);
        }
    }
}
