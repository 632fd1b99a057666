import { isObject } from '@emu/wire';
import { resourceProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { defined, inheritedAttributes, type Obj, pick, type Resource, ref } from '../values.ts';

const KNOWN = ['CreateUsagePlan', 'Description', 'Quota', 'Tags', 'Throttle', 'UsagePlanName'];
const SHARED = 'Serverless';

/**
 * Adds the usage plan of an API with its key: its own or a shared one.
 * @throws SamProblem
 */
export function addUsagePlan(
  id: string,
  auth: unknown,
  stageId: string,
  tags: unknown,
  resource: Resource,
  to: Translation,
): void {
  const plan = isObject(auth) ? auth.UsagePlan : undefined;
  if (plan === undefined || plan === null) return;
  if (!isObject(plan)) throw resourceProblem(id, "'UsagePlan' must be a dictionary");
  if (Object.keys(plan).some((name) => !KNOWN.includes(name)))
    throw resourceProblem(id, "Invalid property for 'UsagePlan'");
  const kind = to.resolver.resolve(plan.CreateUsagePlan);
  if (kind === undefined) throw resourceProblem(id, "'CreateUsagePlan' is a required field for UsagePlan.");
  if (kind !== 'SHARED' && kind !== 'PER_API' && kind !== 'NONE')
    throw resourceProblem(id, "'CreateUsagePlan' accepts one of ['SHARED', 'PER_API', 'NONE'].");
  if (kind === 'NONE') return;
  const prefix = kind === 'SHARED' ? SHARED : id;
  const settings = pick(plan, ['UsagePlanName', 'Description', 'Quota', 'Tags', 'Throttle']);
  const planId = `${prefix}UsagePlan`;
  const keyId = `${prefix}ApiKey`;
  to.references.add(id, 'UsagePlan', planId);
  to.references.add(id, 'ApiKey', keyId);
  to.references.add(id, 'UsagePlanKey', `${prefix}UsagePlanKey`);
  const known = to.output[planId]?.Properties;
  const keys = to.output[keyId]?.Properties;
  const stages = Array.isArray(known?.ApiStages) ? known.ApiStages : [];
  const stageKeys = Array.isArray(keys?.StageKeys) ? keys.StageKeys : [];
  const waits = [to.output[planId]?.DependsOn ?? []].flat();
  const attributes = kind === 'SHARED' ? sharedAttributes(resource, to) : inheritedAttributes(resource);
  to.add(
    planId,
    'AWS::ApiGateway::UsagePlan',
    { Tags: tags, ...settings, ApiStages: [...stages, { ApiId: ref(id), Stage: ref(stageId) }] },
    { ...attributes, DependsOn: [...waits, id] },
  );
  to.add(
    keyId,
    'AWS::ApiGateway::ApiKey',
    { Enabled: true, Tags: tags, StageKeys: [...stageKeys, { RestApiId: ref(id), StageName: ref(stageId) }] },
    { ...attributes, DependsOn: [planId] },
  );
  to.add(
    `${prefix}UsagePlanKey`,
    'AWS::ApiGateway::UsagePlanKey',
    { KeyId: ref(keyId), KeyType: 'API_KEY', UsagePlanId: ref(planId) },
    { ...attributes, DependsOn: [keyId] },
  );
}

/** Deletion and replacement policies ordered from least to most retention. */
const KEEPS = ['Delete', 'Snapshot', 'Retain'];
const CONDITION = 'SharedUsagePlanCondition';

/** Returns the attributes of shared resources: they exist if one API exists, and get the strictest policy of all. */
function sharedAttributes(resource: Resource, to: Translation): Obj {
  const sharing = to.sharedPlan;
  sharing.push(resource);
  const strictest = (name: string): string | undefined =>
    sharing
      .map((one) => one[name])
      .filter((policy): policy is string => typeof policy === 'string')
      .sort((a, b) => KEEPS.indexOf(b) - KEEPS.indexOf(a))[0];
  const conditions = [...new Set(sharing.map(({ Condition }) => Condition))];
  delete to.conditions[CONDITION];
  let Condition: unknown;
  if (conditions.length === 1) Condition = conditions[0];
  else if (conditions.every((one) => typeof one === 'string')) {
    to.conditions[CONDITION] = { 'Fn::Or': conditions.map((one) => ({ Condition: one })) };
    Condition = CONDITION;
  }
  return defined({
    Condition,
    DeletionPolicy: strictest('DeletionPolicy'),
    UpdateReplacePolicy: strictest('UpdateReplacePolicy'),
  });
}
