/** Text of a URL, percent-decoded; as it is where it is encoded badly. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
