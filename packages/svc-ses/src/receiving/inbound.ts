import { BlockList, isIPv6 } from 'node:net';
import type { SesInboundResult } from '@emu/control-client';
import type { DeepReadonly } from '@emu/core/service';
import type { ReceiptRule } from '@emu/service-types/ses';
import { domainOf, identityNameOf } from '../identities/names.ts';
import { headersOf, parseMail } from '../mail/raw.ts';
import type { SesState } from '../state.ts';
import { act, kindOf } from './actions.ts';
import type { ReceivedMail, Verdicts } from './received.ts';

/** An incoming mail. */
export interface InboundMail {
  source: string;
  recipients: readonly string[];
  raw: Buffer;
  /** Whether it was sent over TLS. */
  secure: boolean;
  verdicts?: Partial<Verdicts> | undefined;
  /** Source address; undefined if unknown. */
  sourceIp?: string | undefined;
}

const PASS: Verdicts = { spam: 'PASS', virus: 'PASS', spf: 'PASS', dkim: 'PASS', dmarc: 'PASS' };

/** Whether a filter includes an address. */
function covers(cidr: string, ip: string): boolean {
  const [network = '', bits] = cidr.split('/');
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
  return list.check(mapped, isIPv6(mapped) ? 'ipv6' : 'ipv4');
}

/**
 * Whether an account's filters block mail from an address: allow filters take precedence.
 * @see https://docs.aws.amazon.com/ses/latest/dg/receiving-email-ip-filtering-console-walkthrough.html
 */
export function isBlocked(state: SesState, ip: string | undefined): boolean {
  if (ip === undefined) return false;
  const matching = state.filters.list().filter(({ cidr }) => covers(cidr, ip));
  return matching.some(({ policy }) => policy === 'Block') && !matching.some(({ policy }) => policy === 'Allow');
}

/** Returns the recipients of a mail that match a rule. */
function recipientsFor({ Recipients = [] }: DeepReadonly<ReceiptRule>, recipients: readonly string[]): string[] {
  if (!Recipients.length) return [...recipients];
  return recipients.filter((recipient) => {
    const address = identityNameOf(recipient);
    const plain = address.replace(/\+[^@]*@/, '@');
    const domain = domainOf(address);
    return Recipients.some((given) => {
      const condition = given.toLowerCase();
      if (condition.includes('@')) return condition === plain.toLowerCase() || condition === address.toLowerCase();
      return condition.startsWith('.') ? domain.endsWith(condition) : domain === condition;
    });
  });
}

/** Whether a rule of the active set matches a recipient. */
export function isExpected(state: SesState, recipient: string): boolean {
  const { activeRuleSet } = state.account;
  const rules = activeRuleSet === undefined ? [] : (state.ruleSets.get(activeRuleSet)?.rules ?? []);
  return rules.some((rule) => rule.Enabled && recipientsFor(rule, [recipient]).length > 0);
}

/**
 * Processes a mail with the rules of the active set in order.
 * @returns their results
 */
export async function receive(state: SesState, inbound: InboundMail): Promise<SesInboundResult> {
  const now = state.clock.now();
  const messageId = state.ids.chars(40, 'abcdefghijklmnopqrstuvwxyz0123456789');
  const verdicts = { ...PASS, ...inbound.verdicts };
  const added = [
    `Return-Path: <${inbound.source}>`,
    `X-SES-Spam-Verdict: ${verdicts.spam}`,
    `X-SES-Virus-Verdict: ${verdicts.virus}`,
  ];
  const raw = Buffer.concat([Buffer.from(added.map((line) => `${line}\r\n`).join('')), inbound.raw]);
  const mail: ReceivedMail = {
    messageId,
    source: inbound.source,
    recipients: inbound.recipients,
    raw,
    headers: headersOf(await parseMail(raw)),
    verdicts,
    at: now,
  };
  state.received.add(mail);
  const result: SesInboundResult = { messageId, matchedRules: [], actions: [] };
  const set = state.account.activeRuleSet;
  if (set === undefined || isBlocked(state, inbound.sourceIp)) return result;
  for (const rule of state.ruleSets.get(set)?.rules ?? []) {
    const recipients = recipientsFor(rule, inbound.recipients);
    if (!rule.Enabled || !recipients.length || (rule.TlsPolicy === 'Require' && !inbound.secure)) continue;
    result.matchedRules.push(rule.Name);
    const ended = await follow(state, mail, recipients, { set, rule }, result);
    if (ended) break;
  }
  return result;
}

/**
 * Runs the actions of a rule.
 * @returns whether processing stops after it
 */
async function follow(
  state: SesState,
  mail: ReceivedMail,
  recipients: readonly string[],
  { set, rule }: { set: string; rule: DeepReadonly<ReceiptRule> },
  result: SesInboundResult,
): Promise<boolean> {
  for (const action of rule.Actions ?? []) {
    const entry = { ruleName: rule.Name, type: kindOf(action) };
    try {
      const disposition = await act({ state, mail, recipients, rule: { set, name: rule.Name } }, action);
      result.actions.push({ ...entry, status: 'done' });
      if (disposition !== 'continue') return disposition === 'stop-rule-set';
    } catch (error) {
      const { message } = error as Error;
      state.scope.log.warn(`an action of the receipt rule ${rule.Name} failed`, { error });
      result.actions.push({ ...entry, status: 'failed', error: message });
      // AWS also continues with the next rule.
      return false;
    }
  }
  return false;
}
