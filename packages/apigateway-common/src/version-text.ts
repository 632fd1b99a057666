/**
 * Returns a version in an API definition, such as `2.0`, as text; undefined for other values. In JSON it may be a
 * number, whose final zero is lost.
 */
export const versionText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return undefined;
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
};
