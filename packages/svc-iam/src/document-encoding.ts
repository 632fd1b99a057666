/**
 * Encodes a policy document as in IAM's responses: percent-encoded according to RFC 3986.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html
 */
export const encodeDocument = (document: string): string =>
  encodeURIComponent(document).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
