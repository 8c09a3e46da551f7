//! Decompression, including files of several concatenated parts.

use std::io::{self, BufRead, BufReader, Read};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::{CONCATENATED, Stream};
use lz4_flex::frame::FrameDecoder;

use super::kind::Compression;
use super::zstd::{Frames, FramesSideBySide};

/// The size of a read.
const READ_BYTES: usize = 1 << 17;

impl Compression {
    /// Returns `true` for formats whose files have a window size, which determines the memory for decompression. Other
    /// formats need little memory.
    pub(super) fn has_window(self) -> bool {
        matches!(self, Compression::Zstd | Compression::Xz)
    }
}

/// Decompresses bytes. A window larger than `window_bytes` of memory fails with [`io::ErrorKind::OutOfMemory`].
///
/// A file can be read ahead without waiting, so with `is_file`, several frames of it may be decompressed in parallel.
///
/// # Errors
/// If memory cannot be allocated. Damage is reported by the returned reader.
pub(super) fn decompress<'r>(
    input: Box<dyn Read + 'r>,
    compression: Compression,
    window_bytes: u64,
    is_file: bool,
) -> io::Result<Box<dyn Read + 'r>> {
    if compression == Compression::Zstd && is_file {
        return Ok(Box::new(FramesSideBySide::new(input, window_bytes)));
    }

    let buffered = BufReader::with_capacity(READ_BYTES, input);
    let reader: Box<dyn Read + 'r> = match compression {
        Compression::Zstd => Box::new(Frames::new(buffered, window_bytes)?),
        Compression::Gzip => Box::new(MultiGzDecoder::new(buffered)),
        Compression::Bzip2 => Box::new(MultiBzDecoder::new(buffered)),
        Compression::Xz => {
            let stream = Stream::new_stream_decoder(window_bytes, CONCATENATED)?;
            Box::new(XzReader(XzDecoder::new_stream(buffered, stream)))
        }
        Compression::Lz4 => Box::new(Lz4Frames::new(buffered)),
    };
    Ok(reader)
}

/// A reader of xz whose errors distinguish damage from a window that is too large.
struct XzReader<R>(R);

impl<R: Read> Read for XzReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out).map_err(xz_error)
    }
}

fn xz_error(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    match inner {
        Some(liblzma::stream::Error::MemLimit) => io::ErrorKind::OutOfMemory.into(),
        _ => error,
    }
}

const LZ4_MAGIC: [u8; 4] = 0x184d_2204_u32.to_le_bytes();

/// All frames of an LZ4 file.
///
/// The decoder reports the end after each frame, and also at the end of a file that is cut off between two blocks. The
/// cases are distinguished by [`Watched`]: only in the second case the decoder has read past the end of the file.
struct Lz4Frames<R: BufRead>(Option<FrameDecoder<Watched<R>>>);

/// A reader that notes reads past its end.
struct Watched<R> {
    input: R,
    is_exhausted: bool,
}

impl<R: BufRead> Lz4Frames<R> {
    fn new(input: R) -> Lz4Frames<R> {
        let watched = Watched {
            input,
            is_exhausted: false,
        };
        Lz4Frames(Some(FrameDecoder::new(watched)))
    }
}

impl<R: BufRead> Read for Lz4Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.0 {
            let read = decoder.read(out)?;
            if read > 0 || out.is_empty() {
                return Ok(read);
            }

            let rest = decoder.get_mut();
            if rest.is_exhausted {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }

            let next = rest.input.fill_buf()?;
            if next.is_empty() {
                break;
            }

            // An empty block does not end a file; a new frame may have another block size.
            let is_frame = next
                .iter()
                .zip(&LZ4_MAGIC)
                .all(|(next, magic)| next == magic);
            if is_frame {
                let ended = self.0.take();
                self.0 = ended.map(|decoder| FrameDecoder::new(decoder.into_inner()));
            }
        }
        Ok(0)
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(out)?;
        self.is_exhausted |= read == 0 && !out.is_empty();
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::kind::Kind;
    use super::*;

    const TEXT: &[u8] = b"[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";

    fn compress(text: &[u8], compression: Compression) -> Vec<u8> {
        let mut out = Vec::new();
        match compression {
            Compression::Zstd => out = zstd::encode_all(text, 3).expect("memory"),
            Compression::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(&mut out, Default::default());
                encoder.write_all(text).expect("memory");
            }
            Compression::Bzip2 => {
                let mut encoder = bzip2::write::BzEncoder::new(&mut out, Default::default());
                encoder.write_all(text).expect("memory");
            }
            Compression::Xz => {
                let mut encoder = liblzma::write::XzEncoder::new(&mut out, 6);
                encoder.write_all(text).expect("memory");
            }
            Compression::Lz4 => {
                let mut encoder = lz4_flex::frame::FrameEncoder::new(&mut out);
                encoder.write_all(text).expect("memory");
                encoder.finish().expect("memory");
            }
        }
        out
    }

    fn read(bytes: &[u8], compression: Compression) -> (Vec<u8>, Option<io::ErrorKind>) {
        let is_file = false;
        let mut input = decompress(Box::new(bytes), compression, 1 << 31, is_file).expect("memory");

        let mut out = Vec::new();
        let read = input.read_to_end(&mut out);
        (out, read.err().map(|error| error.kind()))
    }

    /// Concatenated pieces decompress to the file, and a part of them is an error.
    fn check(compression: Compression) {
        let game = TEXT.repeat(10_000);
        let piece = compress(&game, compression);
        assert_eq!(Kind::of(&piece), Kind::Compressed(compression));

        let all = [&piece[..], &compress(b"", compression), &piece].concat();
        assert_eq!(read(&all, compression), (game.repeat(2), None));

        for end in [piece.len() / 2, piece.len() - 1] {
            let (out, error) = read(&piece[..end], compression);
            assert!(game.starts_with(&out));

            let cut_short = Some(io::ErrorKind::UnexpectedEof);
            assert_eq!(error, cut_short, "{end} of {}", piece.len());
        }
    }

    macro_rules! reads_all_parts {
        ($($name:ident: $compression:expr;)*) => {$(
            #[test]
            fn $name() {
                check($compression);
            }
        )*};
    }

    reads_all_parts! {
        zstd: Compression::Zstd;
        gzip: Compression::Gzip;
        bzip2: Compression::Bzip2;
        xz: Compression::Xz;
        lz4: Compression::Lz4;
    }

    #[test]
    fn lz4_that_ends_between_blocks_is_cut_short() {
        let noise: Vec<u8> = (0..200_000u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let mut piece = compress(&noise, Compression::Lz4);
        // Without the end mark of the frame.
        piece.truncate(piece.len() - 4);

        let (out, error) = read(&piece, Compression::Lz4);

        assert_eq!(out, noise);
        assert_eq!(error, Some(io::ErrorKind::UnexpectedEof));
    }

    #[test]
    fn zstd_windows_may_be_large() {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("memory");
        encoder.long_distance_matching(true).expect("it is known");
        encoder.window_log(30).expect("it is known");
        encoder.write_all(TEXT).expect("memory");
        // If the length of a text is known, the window is as long.
        let piece = encoder.finish().expect("memory");
        assert_eq!(read(&piece, Compression::Zstd), (TEXT.to_vec(), None));
    }

    /// The error of reading a file with a window over eight megabytes, given this much memory.
    fn refused(piece: &[u8], compression: Compression, window_bytes: u64) -> Option<io::ErrorKind> {
        let mut input =
            decompress(Box::new(piece), compression, window_bytes, false).expect("memory");
        input
            .read_to_end(&mut Vec::new())
            .err()
            .map(|error| error.kind())
    }

    #[test]
    fn window_memory_is_limited() {
        let zstd = compress(&TEXT.repeat(1 << 18), Compression::Zstd);
        let xz = compress(TEXT, Compression::Xz);
        for (piece, compression) in [(&zstd, Compression::Zstd), (&xz, Compression::Xz)] {
            let with_little = refused(piece, compression, 1 << 20);
            let with_enough = refused(piece, compression, 1 << 24);
            assert_eq!(
                with_little,
                Some(io::ErrorKind::OutOfMemory),
                "{compression:?}"
            );
            assert_eq!(with_enough, None, "{compression:?}");
        }
    }
}
