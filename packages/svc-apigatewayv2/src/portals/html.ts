const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** A text as it stands in HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => ESCAPES[one]!);
