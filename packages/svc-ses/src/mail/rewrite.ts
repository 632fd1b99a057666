import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** Media type of a text part. */
export type TextType = 'text/html' | 'text/plain';

const UTF8 = /^(utf-?8|us-ascii|ascii)$/i;

/**
 * Rewrites the texts of a MIME message; other parts and attached texts are unchanged.
 * @param change returns the new text of a part. In charsets other than UTF-8 each byte is one character.
 */
export async function rewriteTexts(raw: Buffer, change: (text: string, type: TextType) => string): Promise<Buffer> {
  const { Joiner, Rewriter, Splitter } = await import('./mailsplit.ts');
  const rewriter = new Rewriter(
    ({ multipart, contentType, disposition }) =>
      !multipart && (contentType === 'text/html' || contentType === 'text/plain') && disposition !== 'attachment',
  );
  rewriter.on('node', ({ node, decoder, encoder }) => {
    const encoding = !node.charset || UTF8.test(node.charset) ? 'utf8' : 'latin1';
    buffer(decoder).then(
      (content) => encoder.end(Buffer.from(change(content.toString(encoding), node.contentType as TextType), encoding)),
      (error: Error) => rewriter.destroy(error),
    );
  });
  const joiner = new Joiner();
  const [message] = await Promise.all([
    buffer(joiner),
    pipeline(Readable.from([raw]), new Splitter(), rewriter, joiner),
  ]);
  return message;
}
