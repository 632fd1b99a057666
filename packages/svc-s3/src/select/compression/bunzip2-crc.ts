const POLYNOMIAL = 0x04c11db7;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc;
});

/**
 * Returns the checksum of bzip2: a CRC-32 with the most significant bit first.
 * @param crc of the preceding bytes; -1 initially
 */
export function crcOf(bytes: Uint8Array, crc: number): number {
  for (let index = 0; index < bytes.length; index++) crc = (crc << 8) ^ TABLE[(crc >>> 24) ^ bytes[index]!]!;
  return crc;
}
