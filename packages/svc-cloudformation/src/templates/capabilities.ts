import { insufficientCapabilities } from '../errors.ts';
import type { Template } from './template.ts';

/** Types that grant permissions, with their name property. */
const IAM_TYPES: Readonly<Record<string, string | undefined>> = {
  'AWS::IAM::AccessKey': undefined,
  'AWS::IAM::Group': 'GroupName',
  'AWS::IAM::InstanceProfile': 'InstanceProfileName',
  'AWS::IAM::ManagedPolicy': 'ManagedPolicyName',
  'AWS::IAM::Policy': undefined,
  'AWS::IAM::Role': 'RoleName',
  'AWS::IAM::User': 'UserName',
  'AWS::IAM::UserToGroupAddition': undefined,
};

/** A required capability, with the types that need it. */
export interface NeededCapability {
  readonly name: 'CAPABILITY_IAM' | 'CAPABILITY_NAMED_IAM';
  readonly types: readonly string[];
}

/** Returns the capability that the template's IAM resources require; undefined without such resources. */
export function neededCapability({ Resources }: Template): NeededCapability | undefined {
  const resources = Object.values(Resources).filter(({ Type }) => Object.hasOwn(IAM_TYPES, Type));
  if (resources.length === 0) return undefined;
  const named = resources.some(({ Type, Properties }) => {
    const property = IAM_TYPES[Type];
    return property !== undefined && Properties?.[property] !== undefined;
  });
  const types = [...new Set(resources.map(({ Type }) => Type))];
  return { name: named ? 'CAPABILITY_NAMED_IAM' : 'CAPABILITY_IAM', types };
}

/**
 * Rejects a template that needs capabilities missing in the request.
 * @throws AwsError `InsufficientCapabilitiesException`
 */
export function checkCapabilities(template: Template, given: readonly string[]): void {
  const needed = neededCapability(template);
  if (!needed || given.includes(needed.name) || given.includes('CAPABILITY_NAMED_IAM')) return;
  throw insufficientCapabilities([needed.name]);
}
