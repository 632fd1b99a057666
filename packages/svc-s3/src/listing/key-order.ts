/**
 * S3 lists keys in UTF-8 byte order. JavaScript compares UTF-16 code units, which differs only for characters beyond
 * U+FFFF: their surrogates sort before U+E000. A sort key exchanges the two ranges, so that plain string comparison
 * yields byte order.
 */
const AFFECTED = /[\ud800-\uffff]/;

/** Returns the sort key of an object key; usually the same string. A key prefix yields a sort key prefix. */
export function sortKeyOf(key: string): string {
  if (!AFFECTED.test(key)) return key;
  let out = '';
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index);
    if (unit < 0xd800) out += key[index];
    else out += String.fromCharCode(unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
  }
  return out;
}

/** Returns the smallest sort key greater than all with a prefix; undefined if there is none. */
export function afterPrefix(sortKey: string): string | undefined {
  for (let end = sortKey.length; end > 0; end--) {
    const unit = sortKey.charCodeAt(end - 1);
    if (unit < 0xffff) return sortKey.slice(0, end - 1) + String.fromCharCode(unit + 1);
  }
  return undefined;
}
