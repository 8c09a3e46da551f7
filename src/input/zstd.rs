//! Zstandard files: a reader of any frames, and a reader that decompresses short frames of a file in parallel.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use zstd::zstd_safe::{
    DCtx, DParameter, InBuffer, OutBuffer, find_frame_compressed_size, get_error_name,
};

use super::content::Failing;

/// The smallest window that the format allows, as a power of two (RFC 8878 §3.1.1.1.2).
const MIN_WINDOW_LOG: u32 = 10;
/// The largest window that the library allows, as a power of two.
const MAX_WINDOW_LOG: u32 = if usize::BITS == 64 { 31 } else { 30 };
/// Zstandard's error for a frame with a larger window than allowed.
const WINDOW_ERROR: &str = "Frame requires too much memory for decoding";
/// The minimum size of a frame's header, from which its full size is known.
const MIN_HEADER_BYTES: usize = 5;
/// The size of a read.
const READ_BYTES: usize = 1 << 17;
/// The number of compressed bytes for one thread: the work of some hundredths of a second.
const RUN_BYTES: usize = 1 << 20;
/// The maximum size of a run's text, as a multiple of the maximum size of a run. Compression reduces PGN by a factor of
/// four to seven.
const MAX_EXPANSION: usize = 7;
/// The maximum number of threads. Replays cannot keep up with more.
const MAX_THREADS: usize = 4;

/// Decompresses frames one after the other.
///
/// Before an error, it delivers all blocks before the damage.
pub(super) struct Frames<R> {
    input: R,
    context: DCtx<'static>,
    /// The number of bytes that complete the next header or block. The decoder receives no more bytes at once: given
    /// several blocks, it would lose the blocks before a damaged block.
    wanted: usize,
    /// `true` if a frame has begun and not ended.
    is_inside: bool,
}

impl<R: BufRead> Frames<R> {
    /// A reader that refuses windows larger than `window_bytes` with [`io::ErrorKind::OutOfMemory`].
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub(super) fn new(input: R, window_bytes: u64) -> io::Result<Frames<R>> {
        let mut context = DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        let log = window_bytes
            .checked_ilog2()
            .unwrap_or(0)
            .clamp(MIN_WINDOW_LOG, MAX_WINDOW_LOG);

        context
            .set_parameter(DParameter::WindowLogMax(log))
            .map_err(zstd_error)?;

        Ok(Frames {
            input,
            context,
            wanted: MIN_HEADER_BYTES,
            is_inside: false,
        })
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut buffer = OutBuffer::around(out);
        while buffer.pos() < buffer.capacity() {
            let bytes = self.input.fill_buf()?;
            let is_end = bytes.is_empty();
            if is_end && !self.is_inside {
                break;
            }

            let length = self.wanted.min(bytes.len());
            let mut input = InBuffer::around(&bytes[..length]);
            let wanted = self
                .context
                .decompress_stream(&mut buffer, &mut input)
                .map_err(zstd_error)?;

            let consumed = input.pos();
            self.input.consume(consumed);
            self.is_inside = wanted > 0;
            self.wanted = if self.is_inside {
                wanted
            } else {
                MIN_HEADER_BYTES
            };

            // The decoder may have text left at the end of the input, so the end is checked last.
            if buffer.pos() > 0 {
                break;
            }
            if is_end {
                let message = "incomplete frame";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
            }
        }
        Ok(buffer.pos())
    }
}

/// The error for a code of the library; [`io::ErrorKind::OutOfMemory`] for a window that is too large.
fn zstd_error(code: usize) -> io::Error {
    match get_error_name(code) {
        WINDOW_ERROR => io::ErrorKind::OutOfMemory.into(),
        name => io::Error::other(name),
    }
}

/// Decompresses frames on several threads at once while they are short. From a long or damaged frame on, [`Frames`]
/// decompresses the rest.
///
/// Long frames gain nothing from more threads: the text of the second frame would wait in memory until the first frame
/// ends.
pub(super) struct FramesSideBySide<'r> {
    input: Box<dyn Read + 'r>,
    /// Bytes of the input that belong to no run yet.
    ahead: Vec<u8>,
    /// The result at the end of the input; `None` before the end.
    end: Option<io::Result<()>>,
    runs: VecDeque<Run>,
    max_runs: usize,
    text: Cursor<Vec<u8>>,
    rest: Option<Frames<Box<dyn BufRead + 'r>>>,
    window_bytes: u64,
}

/// Consecutive whole frames, and the thread that decompresses them.
///
/// The thread returns `None` if the frames are too long or damaged. `thread` is `None` if the system could not start a
/// thread.
struct Run {
    bytes: Arc<Vec<u8>>,
    thread: Option<JoinHandle<Option<Vec<u8>>>>,
}

impl Run {
    /// Starts a thread that decompresses `bytes`.
    fn start(bytes: Vec<u8>, text_bytes: usize, window_bytes: u64) -> Run {
        let bytes = Arc::new(bytes);
        let frames = Arc::clone(&bytes);
        let thread = thread::Builder::new()
            .name("unpack".to_owned())
            .spawn(move || decompressed_text(&frames, text_bytes, window_bytes))
            .ok();
        Run { bytes, thread }
    }

    /// The text, if there is one, and the compressed bytes.
    fn end(self) -> (Option<Vec<u8>>, Arc<Vec<u8>>) {
        let text = self.thread.and_then(|thread| thread.join().ok().flatten());
        (text, self.bytes)
    }
}

/// The text of frames; `None` if a frame is damaged or needs a larger window, or if the text exceeds `text_bytes`.
///
/// [`Frames`] decodes the frames block by block. Decoding a whole frame at once does not detect all damage.
fn decompressed_text(frames: &[u8], text_bytes: usize, window_bytes: u64) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    text.try_reserve_exact(text_bytes).ok()?;
    let mut reader = Frames::new(frames, window_bytes).ok()?;

    while text.len() < text_bytes {
        let left = (text_bytes - text.len()).min(READ_BYTES);
        let before = text.len();
        text.resize(before + left, 0);
        let read = reader.read(&mut text[before..]).ok()?;
        text.truncate(before + read);
        if read == 0 {
            break;
        }
    }

    let is_whole = reader.read(&mut [0]).ok()? == 0;
    // The unwritten part of the buffer has used no memory so far: the system assigns pages when they are written.
    text.shrink_to_fit();
    is_whole.then_some(text)
}

impl<'r> FramesSideBySide<'r> {
    /// A reader whose memory is at most `window_bytes`, the memory of a single window. Larger windows are rejected as
    /// by [`Frames`].
    pub(super) fn new(input: Box<dyn Read + 'r>, window_bytes: u64) -> FramesSideBySide<'r> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        FramesSideBySide {
            input,
            ahead: Vec::new(),
            end: None,
            runs: VecDeque::new(),
            max_runs: threads.min(MAX_THREADS),
            text: Cursor::default(),
            rest: None,
            window_bytes,
        }
    }

    /// The maximum number of compressed bytes of a run, beyond the bytes of a read. With its text, a run takes half of
    /// a thread's memory.
    fn run_bytes(&self) -> usize {
        let run = usize::try_from(self.run_window_bytes()).unwrap_or(usize::MAX);
        run / (1 + MAX_EXPANSION)
    }

    /// The largest window of a run: the other half of a thread's memory.
    fn run_window_bytes(&self) -> u64 {
        let thread_bytes = self.window_bytes / MAX_THREADS as u64;
        thread_bytes / 2
    }

    /// Starts runs on threads until the maximum number of runs is in progress.
    fn start_runs(&mut self) {
        while self.runs.len() < self.max_runs
            && let Some(bytes) = self.next_run()
        {
            let text_bytes = MAX_EXPANSION * self.run_bytes();
            let run = Run::start(bytes, text_bytes, self.run_window_bytes());
            self.runs.push_back(run);
        }
    }

    /// The compressed bytes of the next run of short frames; `None` if the next frame is long or damaged, or the input
    /// ends.
    fn next_run(&mut self) -> Option<Vec<u8>> {
        let mut end = 0;
        loop {
            while end < RUN_BYTES
                && let Ok(frame) = find_frame_compressed_size(&self.ahead[end..])
            {
                end += frame;
            }

            let is_enough = end >= RUN_BYTES || self.end.is_some();
            let is_long = self.ahead.len() - end >= self.run_bytes();
            if is_enough || is_long {
                break;
            }

            let wanted = RUN_BYTES as u64;
            let read = self
                .input
                .by_ref()
                .take(wanted)
                .read_to_end(&mut self.ahead);
            match read {
                Ok(read) if read as u64 == wanted => {}
                read => self.end = Some(read.map(drop)),
            }
        }

        let ahead = self.ahead.split_off(end);
        let run = std::mem::replace(&mut self.ahead, ahead);
        (!run.is_empty()).then_some(run)
    }

    /// Sets `text` to the text of the next run. After the last run, passes the rest of the input to [`Frames`].
    fn next_text(&mut self) -> io::Result<()> {
        self.start_runs();

        let mut unread = Vec::new();
        if let Some(run) = self.runs.pop_front() {
            match run.end() {
                (Some(text), _) => {
                    self.text = Cursor::new(text);
                    return Ok(());
                }
                (None, bytes) => unread.extend_from_slice(&bytes),
            }
        }

        // The runs behind a long or damaged frame are decompressed again, frame by frame.
        for run in self.runs.drain(..) {
            let (_text, bytes) = run.end();
            unread.extend_from_slice(&bytes);
        }
        unread.append(&mut self.ahead);
        self.start_rest(unread)
    }

    /// Passes these bytes and the rest of the input to [`Frames`].
    fn start_rest(&mut self, unread: Vec<u8>) -> io::Result<()> {
        let input = std::mem::replace(&mut self.input, Box::new(io::empty()));
        let behind: Box<dyn Read + 'r> = match self.end.take() {
            None => input,
            Some(end) => Box::new(Failing(end.err())),
        };
        let buffered = BufReader::with_capacity(READ_BYTES, behind);
        let rest: Box<dyn BufRead + 'r> = Box::new(Cursor::new(unread).chain(buffered));

        self.rest = Some(Frames::new(rest, self.window_bytes)?);
        Ok(())
    }
}

impl Read for FramesSideBySide<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(out)?;
            if read > 0 || out.is_empty() {
                return Ok(read);
            }
            if let Some(rest) = &mut self.rest {
                return rest.read(out);
            }
            self.text = Cursor::default();
            self.next_text()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WINDOW_BYTES: u64 = 128 << 20;

    /// The text of a reader, and the error at its end.
    fn outcome(mut reader: impl Read) -> (Vec<u8>, Option<(io::ErrorKind, String)>) {
        let mut text = Vec::new();
        let read = reader.read_to_end(&mut text);
        let error = read.err().map(|error| (error.kind(), error.to_string()));
        (text, error)
    }

    fn in_turn(bytes: &[u8], window: u64) -> (Vec<u8>, Option<(io::ErrorKind, String)>) {
        outcome(Frames::new(bytes, window).expect("memory"))
    }

    fn side_by_side(bytes: &[u8], window: u64) -> (Vec<u8>, Option<(io::ErrorKind, String)>) {
        outcome(FramesSideBySide::new(Box::new(bytes), window))
    }

    fn games(bytes: usize, seed: u64) -> Vec<u8> {
        let mut state = seed | 1;
        let game = std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            format!(
                "[Event \"{state}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 {{{}}} *\n\n",
                state >> 40
            )
        });
        game.flat_map(String::into_bytes).take(bytes).collect()
    }

    fn frame(text: &[u8], is_checked: bool) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("memory");
        encoder.include_checksum(is_checked).expect("it is known");
        io::Write::write_all(&mut encoder, text).expect("memory");
        encoder.finish().expect("memory")
    }

    /// A frame that readers skip.
    fn skipped(bytes: u8) -> Vec<u8> {
        let magic: [u8; 4] = [0x53, 0x2a, 0x4d, 0x18];
        let length = u32::from(bytes).to_le_bytes();
        let content: Vec<u8> = vec![7; usize::from(bytes)];
        [&magic[..], &length, &content].concat()
    }

    /// Texts as frames, with a skipped frame before each of them. Every other frame has a checksum.
    fn frames(texts: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let is_checked = number % 2 == 0;
            bytes.extend(skipped(number as u8));
            bytes.extend(frame(text, is_checked));
        }
        bytes
    }

    #[test]
    fn many_frames_are_one_text() {
        let text = games(9 << 20, 3);
        for length in [1 << 12, 100_000, 3 << 20] {
            let texts: Vec<&[u8]> = text.chunks(length).collect();
            let bytes = frames(&texts);
            let expected = (text.clone(), None);
            assert!(side_by_side(&bytes, WINDOW_BYTES) == expected, "{length}");
            assert!(in_turn(&bytes, WINDOW_BYTES) == expected, "{length}");
        }
    }

    #[test]
    fn runs_are_bounded() {
        let zeros = frame(&vec![0; 50 << 20], true);
        let too_long = decompressed_text(&zeros, 49 << 20, WINDOW_BYTES);
        let whole = decompressed_text(&zeros, 50 << 20, WINDOW_BYTES);
        assert_eq!(too_long, None);
        assert_eq!(whole.map(|text| text.len()), Some(50 << 20));

        // Frames that would be too much at once are read one after the other.
        let bytes = zeros.repeat(6);
        let mut reader = FramesSideBySide::new(Box::new(&*bytes), WINDOW_BYTES);
        assert!(reader.read(&mut [0; 10]).is_ok_and(|read| read > 0));
        assert!(reader.rest.is_some() && reader.runs.is_empty());
        let read = io::copy(&mut reader, &mut io::sink()).expect("no damage");
        assert!(((300 << 20) - 10..300 << 20).contains(&read), "{read}");
    }

    #[test]
    fn the_longest_window_is_that_of_frames_in_turn() {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("memory");
        encoder.window_log(24).expect("it is known");
        encoder.include_contentsize(false).expect("it is known");
        io::Write::write_all(&mut encoder, &games(1000, 5)).expect("memory");
        let large = encoder.finish().expect("memory");
        let bytes = [frame(&games(5000, 9), true), large].concat();

        for window in [1 << 20, (1 << 24) - 1, 1 << 24, 1 << 27] {
            let found = side_by_side(&bytes, window);
            assert_eq!(found, in_turn(&bytes, window), "{window}");
        }

        let kind = |window| side_by_side(&bytes, window).1.map(|(kind, _)| kind);
        assert_eq!(kind(1 << 20), Some(io::ErrorKind::OutOfMemory));
        assert_eq!(kind(1 << 24), None);
    }

    #[test]
    fn a_failure_to_read_comes_in_its_place() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::PermissionDenied.into())
            }
        }
        let text = games(3 << 20, 1);
        let texts: Vec<&[u8]> = text.chunks(1 << 18).collect();
        let bytes = frames(&texts);

        let reader = FramesSideBySide::new(Box::new((&*bytes).chain(Broken)), WINDOW_BYTES);
        let (read, error) = outcome(reader);

        assert!(read == text);
        let kind = error.map(|(kind, _)| kind);
        assert_eq!(kind, Some(io::ErrorKind::PermissionDenied));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        /// Whatever is cut off, changed or added, the bytes and the error are those of frames in turn.
        #[test]
        fn damage_is_in_the_same_place(
            lengths in prop::collection::vec(0..700_000usize, 1..9),
            seed in any::<u64>(),
            damage in (0..4u8, any::<prop::sample::Index>(), any::<u8>()),
        ) {
            let texts_of_lengths = lengths.iter().map(|&length| games(length, seed));
            let game_texts: Vec<Vec<u8>> = texts_of_lengths.collect();
            let texts: Vec<&[u8]> = game_texts.iter().map(Vec::as_slice).collect();
            let mut bytes = frames(&texts);
            let at = damage.1.index(bytes.len());
            match damage.0 {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= damage.2,
                2 => bytes.push(damage.2),
                _ => {}
            }
            let expected = in_turn(&bytes, WINDOW_BYTES);
            prop_assert!(side_by_side(&bytes, WINDOW_BYTES) == expected);
            if damage.0 == 3 {
                prop_assert!(expected == (texts.concat(), None));
            }
        }
    }
}
