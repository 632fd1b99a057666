import type { DeepReadonly } from '@emu/core/service';
import type { InsightRuleRecord } from '../records.ts';
import { type InsightDefinition, parseDefinition } from './definition.ts';

/** A managed rule template of AWS. */
export interface ManagedTemplate {
  readonly name: string;
  /** Value summed for each contributor. */
  readonly adds: string;
}

/** Contributor keys of a kind of resource, and its rule templates. */
interface ManagedKind {
  readonly resource: RegExp;
  readonly key: string;
  readonly templates: readonly ManagedTemplate[];
}

/**
 * Kinds of resources with managed rules.
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

/** Returns AWS's rule templates for a resource, in AWS's order. */
export const templatesOf = (resource: string): readonly ManagedTemplate[] => kindOf(resource)?.templates ?? [];

/** Returns the name of a template's rule for a resource. */
export const managedName = (template: string, resource: string): string =>
  `${template}-${resource.slice(resource.lastIndexOf('/') + 1)}`;

/** Returns the definition of a managed rule as JSON. */
export const managedDefinition = ({ adds }: ManagedTemplate, resource: string): string =>
  JSON.stringify({
    Schema: { Name: 'ServiceLogRule', Version: 1 },
    AggregateOn: 'Sum',
    Contribution: { Keys: [kindOf(resource)!.key], ValueOf: adds, Filters: [] },
  });

/** Returns the definition of a rule; a managed one has no log groups, as its service reports to it. */
export function definitionOf(rule: DeepReadonly<InsightRuleRecord>): InsightDefinition {
  if (!rule.managed) return parseDefinition(rule.definition);
  const { AggregateOn, Contribution } = JSON.parse(rule.definition) as {
    AggregateOn: 'Sum';
    Contribution: { Keys: string[]; ValueOf: string };
  };
  return {
    groups: [],
    format: 'JSON',
    fields: {},
    keys: Contribution.Keys,
    valueOf: Contribution.ValueOf,
    filters: [],
    aggregateOn: AggregateOn,
  };
}
