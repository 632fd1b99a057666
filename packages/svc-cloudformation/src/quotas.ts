import { type AnyQuota, defineQuotas, listedQuotas, type OwnQuota, type QuotaFacts } from '@emu/core/service';
import type { CloudformationOperations, CreateChangeSetInput } from '@emu/service-types/cloudformation';
import { cloudformationError } from './errors.ts';
import type { CloudformationState } from './state.ts';

const PAGE = 'https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html';
const cloudformation = (code: string, name: string, defaultValue: number, adjustable: boolean): QuotaFacts => ({
  serviceCode: 'cloudformation',
  code,
  name,
  defaultValue,
  adjustable,
  page: PAGE,
});

/** Stacks that are not deleted, including nested ones. */
export const STACKS = cloudformation('L-0485CB21', 'Stack count', 2000, true);

/** Outputs of a template, and therefore exports of a stack. If quotas are not enforced, AWS's default applies. */
export const OUTPUTS: OwnQuota<CloudformationState> = {
  ...cloudformation('L-87D14FB7', 'Output count in CloudFormation template', 200, false),
  own: true,
};

/**
 * Quotas of CloudFormation. Service Quotas has none for the depth of nested stacks; exports are limited by outputs
 * only.
 */
export const quotas: readonly AnyQuota[] = defineQuotas<CloudformationOperations, CloudformationState>([
  {
    ...STACKS,
    usage: ({ stackNumber }) => stackNumber,
    grows: {
      CreateStack: ({ StackName }, state) => (state.find(StackName) ? undefined : state.stackNumber + 1),
      CreateChangeSet: ({ StackName, ChangeSetType: type }: CreateChangeSetInput, state) =>
        (type === 'CREATE' || type === 'IMPORT') && !state.find(StackName) ? state.stackNumber + 1 : undefined,
    },
    error: () => cloudformationError('LimitExceededException', 'Limit for stack has been exceeded'),
  },
  OUTPUTS,
  {
    ...cloudformation('L-EC62D81A', 'Stack sets per administrator account', 1000, true),
    usage: ({ stackSets }) => stackSets.activeNumber,
    grows: {
      CreateStackSet: ({ StackSetName }, state) =>
        state.stackSets.find(StackSetName)?.status === 'ACTIVE' ? undefined : state.stackSets.activeNumber + 1,
    },
    error: (limit) =>
      cloudformationError('LimitExceededException', `The maximum number of stack sets (${limit}) has been reached.`),
  },
  ...listedQuotas({ serviceCode: 'cloudformation', page: PAGE }, [
    ['L-C8225BA5', 'Stack instances per stack set', 100_000, { adjustable: true }],
    ['L-6A4B2F69', 'Stack instance operations per administrator account', 10_000, { adjustable: true }],
    ['L-05BC894F', 'Resources per template', 500],
    ['L-72B9A393', 'Parameters per template', 200],
    ['L-63D096B8', 'Mappings per template', 200],
    ['L-1FFB6C73', 'Attributes per mapping', 200],
    ['L-D663BAB9', 'Dynamic references per template', 60],
    ['L-4731FE6F', 'Hooks per resource', 100],
    ['L-24E9F9ED', 'Hooks per account', 100],
    ['L-DCC58E6D', 'Module limit per account', 100],
    ['L-9DE8E4FB', 'Resource limit per account', 50],
    ['L-4276301D', 'Wait Condition Signal Data Size', 4096, { unit: 'Bytes' }],
    ['L-FFB2925A', 'Custom Resource Response Data', 4096, { unit: 'Bytes' }],
    ['L-EFC95CFF', 'Template Parameter Value Length', 4096, { unit: 'Bytes' }],
  ]),
]);
