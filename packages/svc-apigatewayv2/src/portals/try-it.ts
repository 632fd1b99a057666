import { escaped } from './html.ts';
import type { SiteEndpoint } from './portal-site.ts';

/**
 * Script that sends the form's request by the path form of the API's URL, which is same-origin.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-portals-try-it.html
 */
export const TRY_IT = `document.getElementById('try').addEventListener('click', async () => {
  const form = document.getElementById('try-it'), value = (name) => form.elements[name].value, answer = document.getElementById('answer');
  const path = form.dataset.path.replace(/\\{([^}+]+)\\+?\\}/g, (_, name) => value('path.' + name).split('/').map(encodeURIComponent).join('/'));
  const headers = Object.fromEntries(value('headers').split('\\n').map((line) => line.split(/:(.*)/s)).filter(([name, text]) => name.trim() && text !== undefined).map(([name, text]) => [name.trim(), text.trim()]));
  const body = value('body');
  try {
    const response = await fetch(form.dataset.base + path + (value('query') && '?' + value('query')), { method: value('method'), headers, body: body || undefined });
    answer.textContent = response.status + '\\n' + await response.text();
  } catch (error) {
    answer.textContent = String(error);
  }
});`;

/** Returns the form for trying a method. */
export function tryItForm({ apiId, stage, path, method }: SiteEndpoint): string {
  const names = [...path.matchAll(/\{([^}+]+)\+?\}/g)].map(([, name]) => name!);
  const fields = names.map((name) => `<label>${escaped(name)} <input name="path.${escaped(name)}"></label>`);
  const base = `/_aws/execute-api/${apiId}/${encodeURIComponent(stage)}`;
  return [
    `<h2>Try it</h2><form id="try-it" data-base="${escaped(base)}" data-path="${escaped(path)}">`,
    `<label>Method <input name="method" value="${method === 'ANY' ? 'GET' : escaped(method)}"></label>`,
    ...fields,
    '<label>Query string <input name="query"></label>',
    '<label>Headers, one a line <textarea name="headers"></textarea></label>',
    '<label>Body <textarea name="body"></textarea></label>',
    '<button type="button" id="try">Send</button></form><pre id="answer"></pre>',
  ].join('');
}
