/** Parameters of combinable CRCs: reflected polynomials without their highest term. */
const CRCS = {
  CRC32: { width: 32n, polynomial: 0xedb88320n },
  CRC32C: { width: 32n, polynomial: 0x82f63b78n },
  CRC64NVME: { width: 64n, polynomial: 0x9a6c9329ac4bc9b5n },
} as const;

/** A CRC of a whole that can be computed from those of its parts. */
export type LinearChecksum = keyof typeof CRCS;

/** Whether the checksum of a whole can be computed from those of its parts. */
export const isLinear = (algorithm: string): algorithm is LinearChecksum => Object.hasOwn(CRCS, algorithm);

/** A linear map over CRC bits: the images of each bit. */
type Matrix = readonly bigint[];

function times(matrix: Matrix, vector: bigint): bigint {
  let sum = 0n;
  for (let bit = 0; vector !== 0n; bit++, vector >>= 1n) if (vector & 1n) sum ^= matrix[bit]!;
  return sum;
}

const square = (matrix: Matrix): Matrix => matrix.map((column) => times(matrix, column));

/** Returns the map for one zero bit. */
function zeroBit({ width, polynomial }: { width: bigint; polynomial: bigint }): Matrix {
  const columns = [polynomial];
  for (let bit = 1n; bit < width; bit++) columns.push(1n << (bit - 1n));
  return columns;
}

function combineTwo(algorithm: LinearChecksum, first: bigint, second: bigint, length: number): bigint {
  // Appending the second part equals appending as many zero bytes and adding the second part's CRC.
  let matrix = square(square(square(zeroBit(CRCS[algorithm]))));
  let crc = first;
  for (let left = BigInt(length); left !== 0n; left >>= 1n) {
    if (left & 1n) crc = times(matrix, crc);
    if (left > 1n) matrix = square(matrix);
  }
  return crc ^ second;
}

/**
 * Combines the CRCs of consecutive parts.
 * @param parts base64 CRC and length in bytes of each
 * @returns base64
 */
export function combineChecksums(algorithm: LinearChecksum, parts: readonly { value: string; size: number }[]): string {
  const digits = Number(CRCS[algorithm].width / 4n);
  let crc: bigint | undefined;
  for (const { value, size } of parts) {
    const next = BigInt(`0x${Buffer.from(value, 'base64').toString('hex')}`);
    crc = crc === undefined ? next : combineTwo(algorithm, crc, next, size);
  }
  return Buffer.from((crc ?? 0n).toString(16).padStart(digits, '0'), 'hex').toString('base64');
}
