import type { DeepReadonly } from '@emu/core/service';
import type { InsightRuleRecord } from '../records.ts';
import { type InsightDefinition, parseDefinition } from './definition.ts';

/** A rule that AWS offers for a resource. */
export interface ManagedTemplate {
  readonly name: string;
  /** What it adds up for each contributor. */
  readonly adds: string;
}

/** What contributors of a kind of resource are told by, and the rules that there are for it. */
interface ManagedKind {
  readonly resource: RegExp;
  readonly key: string;
  readonly templates: readonly ManagedTemplate[];
}

/** The schema of managed rules, as DescribeInsightRules shows it. */
const SCHEMA = { Name: 'ServiceLogRule', Version: 1 };

/**
 * The kinds of resources that have managed rules.
 * @see https://docs.aws.amazon.com/vpc/latest/privatelink/privatelink-cloudwatch-metrics.html
 */
const KINDS: readonly ManagedKind[] = [
  {
    resource: /^arn:[\w-]+:ec2:[\w-]+:\d{12}:vpc-endpoint-service\/vpce-svc-\w+$/,
    key: 'endpointId',
    templates: [
      { name: 'VpcEndpointService-NewConnectionsByEndpointId-v1', adds: 'newConnections' },
      { name: 'VpcEndpointService-BytesByEndpointId-v1', adds: 'bytes' },
      { name: 'VpcEndpointService-RstPacketsByEndpointId-v1', adds: 'rstPackets' },
      { name: 'VpcEndpointService-ActiveConnectionsByEndpointId-v1', adds: 'activeConnections' },
    ],
  },
];

const kindOf = (resource: string): ManagedKind | undefined => KINDS.find((kind) => kind.resource.test(resource));

/** The rules that AWS offers for a resource, in AWS's order. */
export const templatesOf = (resource: string): readonly ManagedTemplate[] => kindOf(resource)?.templates ?? [];

/** The name of the rule that a template makes for a resource. */
export const managedName = (template: string, resource: string): string =>
  `${template}-${resource.slice(resource.lastIndexOf('/') + 1)}`;

/** The definition of a managed rule, and its schema. */
export const managedDefinition = (
  { adds }: ManagedTemplate,
  resource: string,
): Pick<InsightRuleRecord, 'definition' | 'schema'> => ({
  schema: JSON.stringify(SCHEMA),
  definition: JSON.stringify({
    Schema: SCHEMA,
    AggregateOn: 'Sum',
    Contribution: { Keys: [kindOf(resource)!.key], ValueOf: adds, Filters: [] },
  }),
});

/** What a rule counts; a managed one reads no log group: its service reports to it. */
export function definitionOf(rule: DeepReadonly<InsightRuleRecord>): InsightDefinition {
  if (!rule.managed) return parseDefinition(rule.definition);
  const { Schema, AggregateOn, Contribution } = JSON.parse(rule.definition) as {
    Schema: object;
    AggregateOn: 'Sum';
    Contribution: { Keys: string[]; ValueOf: string };
  };
  return {
    schema: JSON.stringify(Schema),
    groups: [],
    format: 'JSON',
    fields: {},
    keys: Contribution.Keys,
    valueOf: Contribution.ValueOf,
    filters: [],
    aggregateOn: AggregateOn,
  };
}
