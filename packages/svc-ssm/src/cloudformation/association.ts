import {
  defined,
  defineProvider,
  differs,
  everyItem,
  omit,
  pick,
  run,
  type TaggedProperties,
  unless,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { ssmError } from '../errors.ts';
import { retag, tagsOf } from './tags.ts';

const GONE = 'AssociationDoesNotExist';
const SECOND = 1000;

/** Properties that an update can change. */
const SETTINGS = [
  'ApplyOnlyAtCronInterval',
  'AssociationDispatchAssumeRole',
  'AssociationName',
  'AutomationTargetParameterName',
  'CalendarNames',
  'ComplianceSeverity',
  'DocumentVersion',
  'MaxConcurrency',
  'MaxErrors',
  'Name',
  'OutputLocation',
  'Parameters',
  'ScheduleExpression',
  'ScheduleOffset',
  'SyncCompliance',
  'Targets',
] as const;

interface AssociationProperties extends TaggedProperties {
  InstanceId?: string;
  WaitForSuccessTimeoutSeconds?: number;
}

/**
 * Associations of documents with nodes or other targets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-association.html
 */
export const association: AnyResourceProvider = defineProvider<AssociationProperties>({
  typeName: 'AWS::SSM::Association',
  model,
  handles: ['InstanceId', 'Tags', 'WaitForSuccessTimeoutSeconds', ...SETTINGS],

  async create(properties, ctx) {
    const input = omit(properties, 'WaitForSuccessTimeoutSeconds');
    const { AssociationDescription } = await run(ctx, 'ssm', 'CreateAssociation', input as never);
    const AssociationId = AssociationDescription!.AssociationId!;
    ctx.created(AssociationId);
    const seconds = properties.WaitForSuccessTimeoutSeconds;
    const status = async () =>
      (await ctx.call('ssm', 'DescribeAssociation', { AssociationId })).AssociationDescription?.Overview?.Status;
    if (seconds !== undefined)
      await ctx.until(
        async () => {
          const now = await status();
          if (now === 'Failed' || now === 'TimedOut')
            throw ssmError('NotStabilized', `Association ${AssociationId} has the status ${now}.`);
          return now === 'Success';
        },
        { limit: seconds * SECOND },
      );
    return { identifier: AssociationId };
  },

  async read(AssociationId, ctx) {
    const answer = await unless(ctx.call('ssm', 'DescribeAssociation', { AssociationId }), GONE);
    const found = answer?.AssociationDescription;
    if (!found) return undefined;
    const older = found.InstanceId !== undefined;
    return {
      properties: defined({
        ...pick(found, ['InstanceId', ...SETTINGS]),
        Targets: older || !found.Targets?.length ? undefined : found.Targets,
        DocumentVersion: found.DocumentVersion === '$DEFAULT' ? undefined : found.DocumentVersion,
        Tags: await tagsOf('Association', AssociationId, ctx),
      }) as AssociationProperties,
      attributes: { AssociationId },
    };
  },

  async update(AssociationId, previous, desired, ctx) {
    if (differs(previous, desired, ...SETTINGS))
      await run(ctx, 'ssm', 'UpdateAssociation', { ...pick(desired, SETTINGS), AssociationId } as never);
    await retag('Association', AssociationId, previous, desired, ctx);
  },

  async delete(AssociationId, _properties, ctx) {
    await unless(ctx.call('ssm', 'DeleteAssociation', { AssociationId }), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('ssm', 'ListAssociations', defined({ NextToken }));
      return [page.Associations?.map((found) => found.AssociationId!), page.NextToken] as const;
    }),
});
