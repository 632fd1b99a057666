import { isIP } from 'node:net';
import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, ReceiptRule, ReceiptRuleSetMetadata } from '@emu/service-types/ses';
import type { SesContext } from '../../context.ts';
import { cannotDelete, invalid, limitExceeded, noRule, noRuleSet, receiptExists } from '../../errors.ts';
import { paging } from '../../paging.ts';
import { checkedRule, checkReceiptName } from '../../receiving/rules.ts';
import type { RuleSetRecord } from '../../records.ts';

type RuleSet = DeepReadonly<RuleSetRecord>;

const MAX_SETS = 40;
const MAX_RULES = 200;
const MAX_FILTERS = 100;

function ruleSetOf(name: string, { state }: SesContext): RuleSet {
  checkReceiptName(name, 'ruleSetName');
  const set = state.ruleSets.get(name);
  if (!set) throw noRuleSet(name);
  return set;
}

const metadataOf = ({ name, createdAt }: RuleSet): ReceiptRuleSetMetadata => ({
  Name: name,
  CreatedTimestamp: new Date(createdAt),
});

const rulesOf = ({ rules }: RuleSet): ReceiptRule[] => structuredClone(rules) as ReceiptRule[];

function addSet(name: string, rules: ReceiptRule[], { state, clock }: SesContext): void {
  checkReceiptName(name, 'ruleSetName');
  if (state.ruleSets.get(name)) throw receiptExists('Rule set', name);
  if (state.ruleSets.size >= MAX_SETS) throw limitExceeded('Number of rule sets exceeds the limit of 40.');
  state.ruleSets.put(name, { name, rules, createdAt: clock.now() });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateReceiptRuleSet.html */
export function CreateReceiptRuleSet({ RuleSetName }: InputOf<'CreateReceiptRuleSet'>, ctx: SesContext) {
  addSet(RuleSetName, [], ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CloneReceiptRuleSet.html */
export function CloneReceiptRuleSet(
  { RuleSetName, OriginalRuleSetName }: InputOf<'CloneReceiptRuleSet'>,
  ctx: SesContext,
) {
  addSet(RuleSetName, rulesOf(ruleSetOf(OriginalRuleSetName, ctx)), ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteReceiptRuleSet.html */
export function DeleteReceiptRuleSet({ RuleSetName }: InputOf<'DeleteReceiptRuleSet'>, { state }: SesContext) {
  checkReceiptName(RuleSetName, 'ruleSetName');
  if (state.account.activeRuleSet === RuleSetName) throw cannotDelete(RuleSetName);
  state.ruleSets.delete(RuleSetName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DescribeReceiptRuleSet.html */
export function DescribeReceiptRuleSet(
  { RuleSetName }: InputOf<'DescribeReceiptRuleSet'>,
  ctx: SesContext,
): OutputOf<'DescribeReceiptRuleSet'> {
  const set = ruleSetOf(RuleSetName, ctx);
  return { Metadata: metadataOf(set), Rules: rulesOf(set) };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DescribeActiveReceiptRuleSet.html */
export function DescribeActiveReceiptRuleSet(
  _input: InputOf<'DescribeActiveReceiptRuleSet'>,
  { state }: SesContext,
): OutputOf<'DescribeActiveReceiptRuleSet'> {
  const { activeRuleSet } = state.account;
  const set = activeRuleSet === undefined ? undefined : state.ruleSets.get(activeRuleSet);
  return set ? { Metadata: metadataOf(set), Rules: rulesOf(set) } : {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetActiveReceiptRuleSet.html */
export function SetActiveReceiptRuleSet({ RuleSetName }: InputOf<'SetActiveReceiptRuleSet'>, ctx: SesContext) {
  if (RuleSetName) ruleSetOf(RuleSetName, ctx);
  ctx.state.changeAccount((draft) => {
    if (RuleSetName) draft.activeRuleSet = RuleSetName;
    else delete draft.activeRuleSet;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListReceiptRuleSets.html */
export function ListReceiptRuleSets(
  input: InputOf<'ListReceiptRuleSets'>,
  { state }: SesContext,
): OutputOf<'ListReceiptRuleSets'> {
  return paging.page('ListReceiptRuleSets', input, state.ruleSets.list(), ({ name }) => name).list(metadataOf);
}

/**
 * Inserts a rule after another, or first.
 * @throws AwsError if the other does not exist
 */
function placed(rules: ReceiptRule[], rule: ReceiptRule, after: string | undefined): ReceiptRule[] {
  const others = rules.filter(({ Name }) => Name !== rule.Name);
  if (after === undefined) return [rule, ...others];
  const at = others.findIndex(({ Name }) => Name === after);
  if (at < 0) throw noRule(after);
  return [...others.slice(0, at + 1), rule, ...others.slice(at + 1)];
}

/**
 * Returns the rule set of a rule, after the checks of both names.
 * @throws AwsError
 */
function setFor(setName: string, ruleName: string, ctx: SesContext): RuleSet {
  checkReceiptName(setName, 'ruleSetName');
  checkReceiptName(ruleName, 'ruleName');
  return ruleSetOf(setName, ctx);
}

function ruleOf(set: RuleSet, name: string): ReceiptRule {
  const rule = rulesOf(set).find(({ Name }) => Name === name);
  if (!rule) throw noRule(name);
  return rule;
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateReceiptRule.html */
export async function CreateReceiptRule({ RuleSetName, After, Rule }: InputOf<'CreateReceiptRule'>, ctx: SesContext) {
  checkReceiptName(RuleSetName, 'ruleSetName');
  checkReceiptName(Rule.Name, 'ruleName');
  const check = () => {
    const set = ruleSetOf(RuleSetName, ctx);
    if (set.rules.some(({ Name }) => Name === Rule.Name)) throw receiptExists('Rule', Rule.Name);
    if (set.rules.length >= MAX_RULES) throw limitExceeded('Too many rules');
    return placed(rulesOf(set), Rule, After);
  };
  check();
  const rule = await checkedRule(Rule, RuleSetName, ctx);
  const rules = check().map((one) => (one.Name === rule.Name ? rule : one));
  ctx.state.ruleSets.update(RuleSetName, (draft) => {
    draft.rules = rules;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateReceiptRule.html */
export async function UpdateReceiptRule({ RuleSetName, Rule }: InputOf<'UpdateReceiptRule'>, ctx: SesContext) {
  checkReceiptName(RuleSetName, 'ruleSetName');
  checkReceiptName(Rule.Name, 'ruleName');
  ruleOf(ruleSetOf(RuleSetName, ctx), Rule.Name);
  const rule = await checkedRule(Rule, RuleSetName, ctx);
  ruleOf(ruleSetOf(RuleSetName, ctx), Rule.Name);
  ctx.state.ruleSets.update(RuleSetName, (draft) => {
    draft.rules = draft.rules.map((one) => (one.Name === rule.Name ? rule : one));
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DescribeReceiptRule.html */
export function DescribeReceiptRule(
  { RuleSetName, RuleName }: InputOf<'DescribeReceiptRule'>,
  ctx: SesContext,
): OutputOf<'DescribeReceiptRule'> {
  return { Rule: ruleOf(setFor(RuleSetName, RuleName, ctx), RuleName) };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteReceiptRule.html */
export function DeleteReceiptRule({ RuleSetName, RuleName }: InputOf<'DeleteReceiptRule'>, ctx: SesContext) {
  if (setFor(RuleSetName, RuleName, ctx).rules.some(({ Name }) => Name === RuleName))
    ctx.state.ruleSets.update(RuleSetName, (draft) => {
      draft.rules = draft.rules.filter(({ Name }) => Name !== RuleName);
    });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetReceiptRulePosition.html */
export function SetReceiptRulePosition(
  { RuleSetName, RuleName, After }: InputOf<'SetReceiptRulePosition'>,
  ctx: SesContext,
) {
  const set = setFor(RuleSetName, RuleName, ctx);
  const rule = ruleOf(set, RuleName);
  if (After === RuleName) return {};
  const rules = placed(rulesOf(set), rule, After);
  ctx.state.ruleSets.update(RuleSetName, (draft) => {
    draft.rules = rules;
  });
  return {};
}

/**
 * @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ReorderReceiptRuleSet.html
 * @see https://github.com/floci-io/floci/pull/3176
 */
export function ReorderReceiptRuleSet({ RuleSetName, RuleNames }: InputOf<'ReorderReceiptRuleSet'>, ctx: SesContext) {
  const set = ruleSetOf(RuleSetName, ctx);
  const names = new Set<string>();
  for (const name of RuleNames) {
    if (names.has(name)) throw invalid('ses', `Multiple positions found for rule: ${name}`);
    names.add(name);
  }
  const missing = set.rules.map(({ Name }) => Name).filter((name) => !names.has(name));
  if (missing.length > 0) throw invalid('ses', `Positions for rules not found: ${missing.join(', ')}`);
  const rules = RuleNames.map((name) => ruleOf(set, name));
  ctx.state.ruleSets.update(RuleSetName, (draft) => {
    draft.rules = rules;
  });
  return {};
}

/** Whether a text is an IP address or range. */
function isRange(text: string): boolean {
  const [ip = '', bits, ...more] = text.split('/');
  const version = isIP(ip);
  if (version === 0 || more.length) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateReceiptFilter.html */
export function CreateReceiptFilter({ Filter }: InputOf<'CreateReceiptFilter'>, { state }: SesContext) {
  const { Name: name, IpFilter } = Filter;
  if (name === '') throw invalid('ses', 'filterName must not be empty');
  checkReceiptName(name, 'filterName');
  if (!isRange(IpFilter.Cidr)) throw invalid('ses', `Invalid CIDR block: ${IpFilter.Cidr}`);
  if (state.filters.get(name)) throw receiptExists('Filter', name);
  if (state.filters.size >= MAX_FILTERS) throw limitExceeded('Too many filters');
  state.filters.put(name, { name, policy: IpFilter.Policy, cidr: IpFilter.Cidr });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteReceiptFilter.html */
export function DeleteReceiptFilter({ FilterName }: InputOf<'DeleteReceiptFilter'>, { state }: SesContext) {
  state.filters.delete(FilterName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListReceiptFilters.html */
export function ListReceiptFilters(
  _input: InputOf<'ListReceiptFilters'>,
  { state }: SesContext,
): OutputOf<'ListReceiptFilters'> {
  return {
    Filters: state.filters
      .list()
      .map(({ name: Name, policy: Policy, cidr: Cidr }) => ({ Name, IpFilter: { Policy, Cidr } })),
  };
}
