// The rules of chess, so that moves on the board and files that are opened need no server: positions, legal moves, SAN.

import { START } from "./placement.js";

const FILES = "abcdefgh";
const PROMOTIONS = ["q", "r", "b", "n"];

/** Steps of pieces, as files and ranks. */
const STRAIGHT = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];
const DIAGONAL = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];
const ALL_WAYS = [...STRAIGHT, ...DIAGONAL];
const KNIGHT = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];
const STEPS = { b: DIAGONAL, r: STRAIGHT, q: ALL_WAYS, k: ALL_WAYS, n: KNIGHT };
const SLIDERS = new Set(["b", "r", "q"]);

/** A move in SAN: the piece, its disambiguation, the target and the promotion. */
const SAN = /^([KQRBN]?)([a-h]?)([1-8]?)[x:-]?([a-h])([1-8])(?:=?\(?([QRBN])\)?)?$/;
const UCI = /^([a-h][1-8])([a-h][1-8])([qrbn]?)$/;

/**
 * A legal move. `uci` is as the server writes it: castling is a step of the king, and in Chess960 king takes rook.
 * @typedef {{ uci: string, from: string, to: string, promotion: string | null, source: number, target: number, rook: number | null }} LegalMove
 */

/** A position, which never changes: a move makes another one. */
export class Position {
  /** @param {Object<string, any>} fields the board as 64 letters from a1 on, and what else a FEN says */
  constructor(fields) {
    Object.assign(this, fields);
  }

  /**
   * The position of a FEN; fields at its end may be left out.
   * @param {string} [fen]
   * @returns {Position}
   */
  static of(fen = START) {
    const [placement, turn = "w", castling = "-", enPassant = "-", halfMoves = "0", number = "1"] = fen
      .trim()
      .split(/[\s_]+/);
    const board = boardOf(placement);
    const position = new Position({
      board,
      isWhite: turn !== "b",
      castling: rooksOf(castling, board),
      enPassant: squareIndex(enPassant),
      halfMoves: Number(halfMoves) || 0,
      number: Number(number) || 1,
      kingTakesRook: false,
    });
    position.kingTakesRook = castlesFromElsewhere(position) || isShuffled(board);
    return position;
  }

  /** @returns {string} */
  fen() {
    const turn = this.isWhite ? "w" : "b";
    const enPassant = this.enPassant !== null && this.canTakeEnPassant() ? squareName(this.enPassant) : "-";
    return [placementOf(this.board), turn, this.castlingText(), enPassant, this.halfMoves, this.number].join(" ");
  }

  /** The legal moves. @returns {LegalMove[]} */
  moves() {
    const moves = [...this.pseudoLegalMoves()].filter((move) => this.isSafe(move));
    return [...moves, ...this.castlings()];
  }

  /** The position after a legal move. @param {LegalMove} move @returns {Position} */
  play(move) {
    const board = [...this.board];
    const piece = board[move.source];
    const isPawn = piece.toLowerCase() === "p";
    const isCapture = move.rook === null && (board[move.target] !== null || (isPawn && move.target === this.enPassant));
    put(board, move, this.enPassant);

    const isDouble = isPawn && Math.abs(move.target - move.source) === 16;
    return new Position({
      board,
      isWhite: !this.isWhite,
      castling: this.castling.filter((right) => this.keepsRight(right, move)),
      enPassant: isDouble ? (move.source + move.target) / 2 : null,
      halfMoves: isPawn || isCapture ? 0 : this.halfMoves + 1,
      number: this.number + (this.isWhite ? 0 : 1),
      kingTakesRook: this.kingTakesRook,
    });
  }

  /** The position after a null move, which some annotators write. @returns {Position} */
  pass() {
    return new Position({
      ...this,
      isWhite: !this.isWhite,
      enPassant: null,
      halfMoves: this.halfMoves + 1,
      number: this.number + (this.isWhite ? 0 : 1),
    });
  }

  isCheck() {
    return isAttacked(this.board, kingOf(this.board, this.isWhite), !this.isWhite);
  }

  /** "checkmate" or "stalemate", or nothing. */
  status() {
    if (this.moves().length) return null;
    return this.isCheck() ? "checkmate" : "stalemate";
  }

  /** A move in standard algebraic notation. @param {LegalMove} move */
  san(move) {
    return this.sanWithoutCheck(move) + this.checkSign(move);
  }

  /**
   * The legal move that a text means: SAN with or without its signs, long algebraic notation, or UCI.
   * @param {string} text with English letters for pieces
   * @returns {LegalMove | null}
   */
  find(text) {
    const bare = text.replace(/[+#!?]+$/, "").replace(/(e\.p\.|ep)$/, "");
    if (/^[O0o]-?[O0o](-?[O0o])?$/.test(bare)) return this.findCastling(bare.replace(/-/g, "").length === 3);
    const san = SAN.exec(bare);
    if (san) return this.findSan(san);
    return UCI.test(bare) ? this.findUci(bare) : null;
  }

  /** @param {string} uci @returns {LegalMove | null} */
  findUci(uci) {
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    const isSame = (move) => move.uci === uci || (move.rook !== null && move.from === from && isCastlingTo(move, to));
    return this.moves().find(isSame) ?? null;
  }

  /** The square of the piece that a null move, as "--", would leave: none. @param {string} text */
  static isNullMove(text) {
    return text === "--" || text === "Z0" || text === "0000" || text === "null" || text === "@@@@";
  }

  findCastling(isLong) {
    const side = isLong ? -1 : 1;
    return this.castlings().find((move) => Math.sign(move.rook - move.source) === side) ?? null;
  }

  findSan([, role, file, rank, toFile, toRank, promotion]) {
    const target = squareIndex(toFile + toRank);
    const letter = (role || "p").toLowerCase();
    const isMeant = (move) =>
      move.target === target &&
      (!file || move.from[0] === file) &&
      (!rank || move.from[1] === rank) &&
      (move.promotion ?? "") === (promotion ?? (move.promotion ? "Q" : "")).toLowerCase();
    const meant = [...this.pseudoLegalMoves(letter)].filter((move) => isMeant(move) && this.isSafe(move));
    if (meant.length === 1) return meant[0];
    return meant.length ? null : this.castlingAsKingMove(letter, target);
  }

  /** Some programs write castling as a move of the king. */
  castlingAsKingMove(letter, target) {
    if (letter !== "k") return null;
    return this.castlings().find((move) => !this.kingTakesRook && move.target === target) ?? null;
  }

  sanWithoutCheck(move) {
    if (move.rook !== null) return move.rook > move.source ? "O-O" : "O-O-O";
    const role = this.board[move.source].toUpperCase();
    const isPawn = role === "P";
    const isCapture = this.board[move.target] !== null || (isPawn && move.from[0] !== move.to[0]);
    const capture = isCapture ? "x" : "";
    if (!isPawn) return `${role}${this.disambiguation(move, role)}${capture}${move.to}`;
    const promotion = move.promotion ? `=${move.promotion.toUpperCase()}` : "";
    return `${isCapture ? move.from[0] : ""}${capture}${move.to}${promotion}`;
  }

  /** The file, the rank or the square of a piece, where another one of its kind could go there (PGN §8.2.3.4). */
  disambiguation(move, role) {
    if (role === "K") return "";
    const piece = this.board[move.source];
    const others = [...this.pseudoLegalMoves(piece.toLowerCase())].filter(
      (other) => other.target === move.target && other.source !== move.source && this.isSafe(other),
    );
    if (!others.length) return "";
    if (others.every(({ from }) => from[0] !== move.from[0])) return move.from[0];
    if (others.every(({ from }) => from[1] !== move.from[1])) return move.from[1];
    return move.from;
  }

  checkSign(move) {
    const after = this.play(move);
    if (!after.isCheck()) return "";
    return after.moves().length ? "+" : "#";
  }

  /** Moves that may leave the king in check: of all pieces, or of one kind. */
  *pseudoLegalMoves(only = null) {
    for (let source = 0; source < 64; source += 1) {
      const piece = this.board[source];
      if (piece === null || isWhitePiece(piece) !== this.isWhite) continue;
      const role = piece.toLowerCase();
      if (only !== null && role !== only) continue;
      if (role === "p") yield* this.pawnMoves(source);
      else yield* this.pieceMoves(source, role);
    }
  }

  *pieceMoves(source, role) {
    for (const target of reached(this.board, source, role)) {
      const taken = this.board[target];
      if (taken === null || isWhitePiece(taken) !== this.isWhite) yield moveOf(source, target);
    }
  }

  *pawnMoves(source) {
    const up = this.isWhite ? 8 : -8;
    const rank = source >> 3;
    const first = this.isWhite ? 1 : 6;
    if (this.board[source + up] === null) {
      yield* pawnMovesTo(source, source + up);
      if (rank === first && this.board[source + 2 * up] === null) yield moveOf(source, source + 2 * up);
    }
    for (const side of [-1, 1]) {
      const target = step(source, side, this.isWhite ? 1 : -1);
      if (target === null) continue;
      const taken = this.board[target];
      const isTaken = taken !== null && isWhitePiece(taken) !== this.isWhite;
      if (isTaken || (target === this.enPassant && taken === null)) yield* pawnMovesTo(source, target);
    }
  }

  /** Castling, with the king's target and the rook's square. @returns {LegalMove[]} */
  castlings() {
    const king = kingOf(this.board, this.isWhite);
    if (king === null || this.isCheck()) return [];
    const rooks = this.castling.filter((right) => right.isWhite === this.isWhite).map(({ rook }) => rook);
    return rooks.filter((rook) => this.canCastle(king, rook)).map((rook) => this.castlingMove(king, rook));
  }

  castlingMove(king, rook) {
    const { kingTarget } = castlingSquares(king, rook);
    const to = this.kingTakesRook ? rook : kingTarget;
    const [from, target] = [squareName(king), squareName(to)];
    return { uci: from + target, from, to: target, promotion: null, source: king, target: kingTarget, rook };
  }

  canCastle(king, rook) {
    const { kingTarget, rookTarget } = castlingSquares(king, rook);
    const isFree = (square) => square === king || square === rook || this.board[square] === null;
    if (!between(king, kingTarget).every(isFree) || !between(rook, rookTarget).every(isFree)) return false;

    const withoutKing = [...this.board];
    withoutKing[king] = null;
    if (between(king, kingTarget).some((square) => isAttacked(withoutKing, square, !this.isWhite))) return false;

    // In Chess960 the rook may have covered the king.
    const after = [...this.board];
    put(after, { source: king, target: kingTarget, rook }, null);
    return !isAttacked(after, kingTarget, !this.isWhite);
  }

  /** Whether a move leaves its king out of check. */
  isSafe(move) {
    const { board } = this;
    const [moved, taken] = [board[move.source], board[move.target]];
    const isEnPassant =
      move.target === this.enPassant && moved.toLowerCase() === "p" && taken === null && move.from[0] !== move.to[0];
    const behind = isEnPassant ? move.target + (this.isWhite ? -8 : 8) : null;
    const takenBehind = behind === null ? null : board[behind];

    // On the board itself, which is put right again: copies of it took half the time of reading a game.
    board[move.source] = null;
    board[move.target] = moved;
    if (behind !== null) board[behind] = null;
    const king = moved.toLowerCase() === "k" ? move.target : kingOf(board, this.isWhite);
    const isSafe = king === null || !isAttacked(board, king, !this.isWhite);
    board[move.source] = moved;
    board[move.target] = taken;
    if (behind !== null) board[behind] = takenBehind;
    return isSafe;
  }

  canTakeEnPassant() {
    const down = this.isWhite ? -1 : 1;
    const pawn = this.isWhite ? "P" : "p";
    const sources = [-1, 1].map((side) => step(this.enPassant, side, down)).filter((square) => square !== null);
    return sources.some((square) => this.board[square] === pawn && this.isSafe(moveOf(square, this.enPassant)));
  }

  keepsRight(right, move) {
    if (right.rook === move.target || right.rook === move.source) return false;
    const isKing = this.board[move.source].toLowerCase() === "k";
    return !(isKing && right.isWhite === this.isWhite);
  }

  castlingText() {
    const letters = this.castling.map((right) => this.rightLetter(right)).filter(Boolean);
    return letters.join("") || "-";
  }

  /** K, Q, k or q for the outermost rook of its side; the file of any other (X-FEN). */
  rightLetter({ isWhite, rook }) {
    const king = kingOf(this.board, isWhite);
    if (king === null) return "";
    const isShort = rook > king;
    const row = rook & 56;
    const piece = isWhite ? "R" : "r";
    const outer = isShort ? lastOf(this.board, row + 7, -1, king, piece) : lastOf(this.board, row, 1, king, piece);
    const letter = outer === rook ? (isShort ? "k" : "q") : FILES[rook & 7];
    return isWhite ? letter.toUpperCase() : letter;
  }
}

/** The name of a square: "a1" for 0. @param {number} index */
export function squareName(index) {
  return FILES[index & 7] + ((index >> 3) + 1);
}

/** Whether a text may be a FEN: eight rows of pieces. @param {string} text */
export function isFen(text) {
  return /^\s*[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}(\s|_|$)/.test(text);
}

function squareIndex(name) {
  return /^[a-h][1-8]$/.test(name) ? FILES.indexOf(name[0]) + 8 * (Number(name[1]) - 1) : null;
}

function boardOf(placement) {
  const board = Array(64).fill(null);
  placement.split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else if (file < 8) board[8 * (7 - index) + file++] = letter;
    }
  });
  return board;
}

function placementOf(board) {
  const rows = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => {
    const row = board.slice(8 * rank, 8 * rank + 8);
    return row
      .map((piece) => piece ?? "1")
      .join("")
      .replace(/1+/g, (ones) => ones.length);
  });
  return rows.join("/");
}

/** The rooks that may castle, in the order of the letters "KQkq". */
function rooksOf(castling, board) {
  const rights = [...castling].map((letter) => rookOf(letter, board)).filter(Boolean);
  const rank = ({ isWhite, rook }) => (isWhite ? 0 : 16) - (rook & 7);
  return rights.toSorted((one, other) => rank(one) - rank(other));
}

function rookOf(letter, board) {
  const isWhite = letter === letter.toUpperCase();
  const king = kingOf(board, isWhite);
  const row = isWhite ? 0 : 56;
  if (king === null || (king & 56) !== row) return null;
  const piece = isWhite ? "R" : "r";
  const name = letter.toLowerCase();
  let rook = null;
  if (name === "k") rook = lastOf(board, row + 7, -1, king, piece);
  else if (name === "q") rook = lastOf(board, row, 1, king, piece);
  else if (FILES.includes(name)) rook = row + FILES.indexOf(name);
  return rook !== null && board[rook] === piece ? { isWhite, rook } : null;
}

/** The first piece of a kind from a corner towards the king. */
function lastOf(board, corner, way, king, piece) {
  for (let square = corner; square !== king; square += way) if (board[square] === piece) return square;
  return null;
}

function castlesFromElsewhere({ castling, board }) {
  return castling.some(({ isWhite, rook }) => {
    const isCorner = (rook & 7) === 0 || (rook & 7) === 7;
    return !isCorner || (kingOf(board, isWhite) & 7) !== 4;
  });
}

/** Whether both back ranks have all pieces, in another order than the usual one. */
function isShuffled(board) {
  const row = board
    .slice(0, 8)
    .map((piece) => piece ?? "-")
    .join("");
  const isFull = [...row].toSorted().join("") === "BBKNNQRR";
  return (
    isFull &&
    row !== "RNBQKBNR" &&
    board
      .slice(56)
      .map((piece) => piece ?? "-")
      .join("") === row.toLowerCase()
  );
}

function castlingSquares(king, rook) {
  const row = king & 56;
  const isShort = rook > king;
  return { kingTarget: row + (isShort ? 6 : 2), rookTarget: row + (isShort ? 5 : 3) };
}

function isCastlingTo(move, to) {
  return squareName(move.target) === to || squareName(move.rook) === to;
}

/** The squares of a row from one to another, both with them. */
function between(one, other) {
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

function moveOf(source, target, promotion = null) {
  const [from, to] = [squareName(source), squareName(target)];
  return { uci: from + to + (promotion ?? ""), from, to, promotion, source, target, rook: null };
}

function* pawnMovesTo(source, target) {
  const rank = target >> 3;
  if (rank !== 0 && rank !== 7) yield moveOf(source, target);
  else for (const promotion of PROMOTIONS) yield moveOf(source, target, promotion);
}

/** Puts a move on a board. */
function put(board, { source, target, promotion, rook }, enPassant) {
  const piece = board[source];
  if (rook !== null && rook !== undefined) {
    const { kingTarget, rookTarget } = castlingSquares(source, rook);
    const rookPiece = board[rook];
    board[source] = null;
    board[rook] = null;
    board[kingTarget] = piece;
    board[rookTarget] = rookPiece;
    return;
  }
  const isWhite = isWhitePiece(piece);
  const isEnPassant = piece.toLowerCase() === "p" && target === enPassant && board[target] === null;
  if (isEnPassant) board[target + (isWhite ? -8 : 8)] = null;
  board[source] = null;
  board[target] = promotion ? (isWhite ? promotion.toUpperCase() : promotion) : piece;
}

/** The squares that a piece reaches, with the first piece of each way. */
function* reached(board, source, role) {
  for (const [right, up] of STEPS[role]) {
    let square = step(source, right, up);
    while (square !== null) {
      yield square;
      if (board[square] !== null || !SLIDERS.has(role)) break;
      square = step(square, right, up);
    }
  }
}

function isAttacked(board, square, byWhite) {
  if (square === null) return false;
  const down = byWhite ? -1 : 1;
  const isPiece = (from, role) => from !== null && board[from] === (byWhite ? role.toUpperCase() : role);
  if (isPiece(step(square, -1, down), "p") || isPiece(step(square, 1, down), "p")) return true;
  if (KNIGHT.some(([right, up]) => isPiece(step(square, right, up), "n"))) return true;
  return ALL_WAYS.some(([right, up]) => isAttackedFrom(board, square, right, up, byWhite));
}

/** Whether the first piece in a direction attacks along it. */
function isAttackedFrom(board, square, right, up, byWhite) {
  let distance = 1;
  let from = step(square, right, up);
  while (from !== null && board[from] === null) {
    from = step(from, right, up);
    distance += 1;
  }
  if (from === null || isWhitePiece(board[from]) !== byWhite) return false;
  const role = board[from].toLowerCase();
  if (role === "q") return true;
  if (role === "k") return distance === 1;
  return role === (right && up ? "b" : "r");
}

function step(square, right, up) {
  const [file, rank] = [(square & 7) + right, (square >> 3) + up];
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? null : file + 8 * rank;
}

function kingOf(board, isWhite) {
  const square = board.indexOf(isWhite ? "K" : "k");
  return square < 0 ? null : square;
}

function isWhitePiece(piece) {
  return piece < "a";
}
