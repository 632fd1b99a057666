import { defineResource, formatArn, type Place, parseArn, taggedRecord } from '@emu/core/service';
import { asString } from '@emu/wire';
import { identityNameOf } from './identities/names.ts';
import type { SesState } from './state.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

/** Returns the key in the first of some members with a text. */
const named =
  (...members: readonly string[]) =>
  (input: Input, place: { accountId: string; region: string }) => {
    const name = members.map((member) => input[member]).find((value) => typeof value === 'string');
    return name === undefined ? undefined : { key: { name: name as string }, place };
  };

/** Returns an ARN with the account of the request if it has none. */
export function withAccount(text: string, { accountId }: Place): string {
  const arn = parseArn(text);
  return arn?.accountId === '' ? formatArn({ ...arn, accountId }, arn.region) : text;
}

/**
 * Identities: addresses and domains.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html
 */
export const identityType = defineResource({
  name: 'identity',
  service: 'ses',
  scope: 'region',
  format: 'identity/{name}',
  cloudFormation: 'AWS::SES::EmailIdentity',
  identify: (input, place) =>
    parseArn(asString(input.Identity) ?? '') ? undefined : named('EmailIdentity', 'Identity')(input, place),
  arnMembers: ['Identity', 'SourceArn', 'FromEmailAddressIdentityArn', 'ResourceArn'],
  find: (state: SesState, { name }) => (state.identity(name) ? { name } : undefined),
  list: (state) => state.identities.list().map(({ name }) => ({ name })),
  tagged: { tagging, find: ({ identities }, { name }) => taggedRecord(identities, identityNameOf(name)) },
});

/** Configuration sets. */
export const configurationSetType = defineResource({
  name: 'configuration-set',
  service: 'ses',
  scope: 'region',
  format: 'configuration-set/{name}',
  cloudFormation: 'AWS::SES::ConfigurationSet',
  identify: (input, place, operation) =>
    /ConfigurationSet/.test(operation) ? named('ConfigurationSetName')(input, place) : undefined,
  arnMembers: ['ResourceArn'],
  records: (state: SesState) => state.sets,
  tagged: { tagging, find: ({ sets }, { name }) => taggedRecord(sets, name) },
});

/** Mail templates. */
export const templateType = defineResource({
  name: 'template',
  service: 'ses',
  scope: 'region',
  format: 'template/{name}',
  cloudFormation: 'AWS::SES::Template',
  identify: (input, place, operation) =>
    /Template$/.test(operation) && !operation.includes('Custom') ? named('TemplateName')(input, place) : undefined,
  arnMembers: ['ResourceArn'],
  records: (state: SesState) => state.templates,
  tagged: { tagging, find: ({ templates }, { name }) => taggedRecord(templates, name) },
});

/** Custom verification mail templates. */
export const verificationTemplateType = defineResource({
  name: 'custom-verification-email-template',
  service: 'ses',
  scope: 'region',
  format: 'custom-verification-email-template/{name}',
  identify: (input, place, operation) =>
    operation.includes('Custom') ? named('TemplateName')(input, place) : undefined,
  arnMembers: ['ResourceArn'],
  records: (state: SesState) => state.verificationTemplates,
  tagged: { tagging, find: ({ verificationTemplates }, { name }) => taggedRecord(verificationTemplates, name) },
});

/** Contact lists. */
export const contactListType = defineResource({
  name: 'contact-list',
  service: 'ses',
  scope: 'region',
  format: 'contact-list/{name}',
  cloudFormation: 'AWS::SES::ContactList',
  identify: named('ContactListName'),
  arnMembers: ['ResourceArn'],
  records: (state: SesState) => state.contactLists,
  tagged: { tagging, find: ({ contactLists }, { name }) => taggedRecord(contactLists, name) },
});

/** Dedicated IP pools. */
export const poolType = defineResource({
  name: 'dedicated-ip-pool',
  service: 'ses',
  scope: 'region',
  format: 'dedicated-ip-pool/{name}',
  cloudFormation: 'AWS::SES::DedicatedIpPool',
  identify: named('PoolName', 'DestinationPoolName'),
  arnMembers: ['ResourceArn'],
  records: (state: SesState) => state.pools,
  tagged: { tagging, find: ({ pools }, { name }) => taggedRecord(pools, name) },
});

/** Reports of deliverability tests. */
export const testReportType = defineResource({
  name: 'deliverability-test-report',
  service: 'ses',
  scope: 'region',
  format: 'deliverability-test-report/{name}',
  identify: named('ReportId'),
  arnMembers: ['ResourceArn'],
  records: (state: SesState) => state.testReports,
  tagged: { tagging, find: ({ testReports }, { name }) => taggedRecord(testReports, name) },
});

/** Tenants. */
export const tenantType = defineResource({
  name: 'tenant',
  service: 'ses',
  scope: 'region',
  format: 'tenant/{name}/{id}',
  cloudFormation: 'AWS::SES::Tenant',
  arnMembers: ['ResourceArn', 'ReputationEntityReference'],
  identify(input, place) {
    const name = asString(input.TenantName);
    return name === undefined ? undefined : { key: { name, id: '*' }, place };
  },
  find(state: SesState, { name, id }) {
    const tenant = state.tenants.get(name);
    return tenant && (id === '*' || id === tenant.id) ? { name, id: tenant.id } : undefined;
  },
  list: (state) => state.tenants.list().map(({ name, id }) => ({ name, id })),
  tagged: { tagging, find: ({ tenants }, { name }) => taggedRecord(tenants, name) },
});

/** Export jobs, for permissions. */
export const exportJobType = defineResource({
  name: 'export-job',
  service: 'ses',
  scope: 'region',
  format: 'export-job/{id}',
});

/** Import jobs, for permissions. */
export const importJobType = defineResource({
  name: 'import-job',
  service: 'ses',
  scope: 'region',
  format: 'import-job/{id}',
});

/** Multi-region endpoints. */
export const endpointType = defineResource({
  name: 'multi-region-endpoint',
  service: 'ses',
  scope: 'region',
  format: 'multi-region-endpoint/{name}',
  cloudFormation: 'AWS::SES::MultiRegionEndpoint',
  identify: named('EndpointName'),
  arnMembers: ['ResourceArn'],
  records: (state: SesState) => state.endpoints,
  tagged: { tagging, find: ({ endpoints }, { name }) => taggedRecord(endpoints, name) },
});

/** Receipt rule sets, which have no tags and do not appear in policies. */
const ruleSetType = defineResource({
  name: 'receipt-rule-set',
  service: 'ses',
  scope: 'region',
  format: 'receipt-rule-set/{name}',
  cloudFormation: 'AWS::SES::ReceiptRuleSet',
  records: (state: SesState) => state.ruleSets,
});

/** Receipt rules, as source ARN in calls to the services of their actions. */
export const ruleType = defineResource({
  name: 'receipt-rule',
  service: 'ses',
  scope: 'region',
  format: 'receipt-rule-set/{set}:receipt-rule/{name}',
  find: (state: SesState, { set, name }) =>
    state.ruleSets.get(set)?.rules.some((rule) => rule.Name === name) ? { set, name } : undefined,
});

/** All resource types, most specific first. */
export const resources = [
  verificationTemplateType,
  templateType,
  identityType,
  configurationSetType,
  contactListType,
  poolType,
  testReportType,
  tenantType,
  endpointType,
  ruleType,
  ruleSetType,
] as const;
