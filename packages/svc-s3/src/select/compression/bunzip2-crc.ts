const POLYNOMIAL = 0x04c11db7;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc;
});

/** The checksum of bzip2, a CRC-32 whose bits go from the most significant on. @param crc of what comes before; -1 at first */
export function crcOf(bytes: Uint8Array, crc: number): number {
  for (let index = 0; index < bytes.length; index++) crc = (crc << 8) ^ TABLE[(crc >>> 24) ^ bytes[index]!]!;
  return crc;
}
