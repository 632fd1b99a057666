import { type Api, noTemplate } from '../errors.ts';
import type { SesState } from '../state.ts';
import { compose } from './compose.ts';
import { renderOrRefuse } from './templates.ts';

/**
 * Returns a template rendered with data as a message.
 * @throws AwsError of the API
 */
export async function renderedMessage(state: SesState, name: string, data: string, api: Api): Promise<string> {
  const template = state.templates.get(name);
  if (!template) throw noTemplate(api, name);
  const parts = await renderOrRefuse(template, data, api, state.accountId);
  const head = {
    from: '',
    to: [],
    cc: [],
    replyTo: [],
    messageId: `<${state.ids.uuid()}@amazonses.com>`,
    date: state.clock.now(),
  };
  return (await compose(parts, head, state.ids)).toString('utf8');
}
