import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';
import { trust } from './role.ts';
import type { Translation } from './translation.ts';
import { defined, getAtt, inheritedAttributes, isIntrinsic, type Obj, type Resource, samTags } from './values.ts';

const CREATED_BY = 'lambda:createdBy';

/** Expected type of a nested property, and its name in messages. */
type Kind = readonly [words: string, is: (value: unknown) => boolean];
const LIST: Kind = ['dictionary or list', (value) => Array.isArray(value) || isObject(value)];
const INTEGER: Kind = ['dictionary or integer', (value) => Number.isInteger(value) || isObject(value)];
const NUMBER: Kind = ['dictionary or number', (value) => typeof value === 'number' || isObject(value)];

const NESTED: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  VpcConfig: { SecurityGroupIds: LIST, SubnetIds: LIST },
  InstanceRequirements: { AllowedTypes: LIST, Architectures: LIST, ExcludedTypes: LIST },
  ScalingConfig: { AverageCPUUtilization: NUMBER, MaxVCpuCount: INTEGER },
};

/**
 * Translates a capacity provider with the role for its instances.
 * @throws SamProblem
 * @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-capacityprovider.html
 */
export function translateCapacityProvider(id: string, resource: Resource, to: Translation): void {
  const properties = resource.Properties ?? {};
  check(id, properties);
  const { VpcConfig, Tags, InstanceRequirements: required, ScalingConfig, OperatorRole, PropagateTags } = properties;
  const tags = samTags(Tags, CREATED_BY);
  const roleId = `${id}OperatorRole`;
  const attributes = inheritedAttributes(resource);
  if (OperatorRole === undefined)
    to.add(
      roleId,
      'AWS::IAM::Role',
      {
        AssumeRolePolicyDocument: trust(servicePrincipalName('lambda')),
        ManagedPolicyArns: [to.managed('AWSLambdaManagedEC2ResourceOperator')],
        Tags: PropagateTags === true ? tags : samTags(undefined, CREATED_BY),
      },
      attributes,
    );
  const { Type: _, Properties: __, ...kept } = resource;
  to.add(
    id,
    'AWS::Lambda::CapacityProvider',
    {
      CapacityProviderName: properties.CapacityProviderName,
      VpcConfig,
      PermissionsConfig: { CapacityProviderOperatorRoleArn: OperatorRole ?? getAtt(roleId, 'Arn') },
      Tags: tags,
      InstanceRequirements: isObject(required) ? requirements(required) : undefined,
      CapacityProviderScalingConfig: isObject(ScalingConfig) ? scaling(ScalingConfig) : undefined,
      KmsKeyArn: properties.KmsKeyArn,
    },
    kept,
  );
}

function check(id: string, properties: Obj): void {
  const { VpcConfig, Tags } = properties;
  if (VpcConfig === undefined) throw resourceProblem(id, "Missing required property 'VpcConfig'.");
  if (Tags !== undefined && !isObject(Tags)) throw resourceProblem(id, "Property 'Tags' should be a map.");
  const problems: string[] = [];
  for (const [name, members] of Object.entries(NESTED)) {
    const given = properties[name];
    if (given === undefined || isIntrinsic(given)) continue;
    if (!isObject(given)) throw resourceProblem(id, `Property '${name}' should be a map.`);
    for (const [member, value] of Object.entries(given)) {
      const kind = members[member];
      if (!kind) problems.push(`Property '${name}.${member}' is an invalid property.`);
      else if (!kind[1](value)) problems.push(`Property '${name}.${member}' value must be ${kind[0]}.`);
    }
    if (name === 'VpcConfig' && given.SubnetIds === undefined)
      problems.push("Property 'VpcConfig.SubnetIds' is required.");
  }
  if (problems.length) throw resourceProblem(id, inOrder(problems).join(' '));
  const { InstanceRequirements: required } = properties;
  if (isObject(required) && required.AllowedTypes && required.ExcludedTypes)
    throw resourceProblem(
      id,
      "Cannot specify 'InstanceRequirements.AllowedTypes' and 'InstanceRequirements.ExcludedTypes' together.",
    );
}

/** Sorts problems: those of the network first, sorted by name. */
const inOrder = (problems: readonly string[]): string[] =>
  [...problems].sort((a, b) => Number(b.includes("'VpcConfig")) - Number(a.includes("'VpcConfig")) || (a < b ? -1 : 1));

const requirements = ({ Architectures, AllowedTypes, ExcludedTypes }: Obj): Obj =>
  defined({ Architectures, AllowedInstanceTypes: AllowedTypes, ExcludedInstanceTypes: ExcludedTypes });

function scaling({ MaxVCpuCount, AverageCPUUtilization: TargetValue }: Obj): Obj {
  if (TargetValue === undefined) return defined({ MaxVCpuCount, ScalingMode: 'Auto' });
  const policy = { PredefinedMetricType: 'LambdaCapacityProviderAverageCPUUtilization', TargetValue };
  return defined({ MaxVCpuCount, ScalingMode: 'Manual', ScalingPolicies: [policy] });
}
