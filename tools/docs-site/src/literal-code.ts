import type { MarkdownRenderer } from 'vitepress';

/** Shows double braces in inline code as written; Vue would evaluate them. Code blocks are literal already. */
export function literalCode(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('literal-code', ({ tokens }) => {
    for (const { children } of tokens)
      for (const token of children ?? []) if (token.type === 'code_inline') token.attrSet('v-pre', '');
  });
}
