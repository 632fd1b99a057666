/**
 * S3 lists keys in the order of their UTF-8 bytes. JavaScript compares UTF-16 code units, which differs for characters
 * beyond U+FFFF only: their surrogates sort before U+E000. A sort key exchanges the two ranges, so that the common
 * comparison of strings gives the order of bytes.
 */
const AFFECTED = /[\ud800-\uffff]/;

/** The sort key of an object key; the same string for most. A prefix of a key has a prefix of its sort key. */
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

/** The least sort key that is greater than every one with a prefix; undefined where there is none. */
export function afterPrefix(sortKey: string): string | undefined {
  for (let end = sortKey.length; end > 0; end--) {
    const unit = sortKey.charCodeAt(end - 1);
    if (unit < 0xffff) return sortKey.slice(0, end - 1) + String.fromCharCode(unit + 1);
  }
  return undefined;
}
