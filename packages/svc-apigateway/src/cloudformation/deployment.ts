import {
  defined,
  defineProvider,
  identifierOf,
  identifierParts,
  type Properties,
  run,
  unless,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { GONE, lowered } from './members.ts';
import { changeDescribedStage, describedStage, type StageDescription } from './stage-description.ts';

interface DeploymentProperties extends Properties {
  DeploymentCanarySettings?: Properties;
  Description?: string;
  RestApiId: string;
  StageDescription?: StageDescription;
  StageName?: string;
}

const keyOf = (identifier: string) => {
  const [deploymentId, restApiId] = identifierParts(identifier, 2) as [string, string];
  return { deploymentId, restApiId };
};

/** Deletes the stage created with a deployment, unless it has been moved to another one. */
async function dropStage(identifier: string, stageName: string | undefined, ctx: ProviderContext): Promise<void> {
  if (stageName === undefined) return;
  const { deploymentId, restApiId } = keyOf(identifier);
  const stage = await unless(ctx.call('apigateway', 'GetStage', { restApiId, stageName }), GONE);
  if (stage?.deploymentId === deploymentId) await ctx.call('apigateway', 'DeleteStage', { restApiId, stageName });
}

/**
 * Deployments of REST APIs, optionally with a stage.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-deployment.html
 */
export const deployment: AnyResourceProvider = defineProvider<DeploymentProperties>({
  typeName: 'AWS::ApiGateway::Deployment',
  model,
  handles: ['DeploymentCanarySettings', 'Description', 'RestApiId', 'StageDescription', 'StageName'],

  async create(properties, ctx) {
    const {
      DeploymentCanarySettings: canary,
      StageDescription,
      RestApiId: restApiId,
      StageName: stageName,
    } = properties;
    const { id } = await run(ctx, 'apigateway', 'CreateDeployment', {
      canarySettings: canary && lowered(canary),
      description: properties.Description,
      restApiId,
      stageName,
    });
    const identifier = identifierOf(id!, restApiId);
    if (StageDescription && stageName !== undefined) {
      ctx.created(identifier);
      await changeDescribedStage({ restApiId, stageName }, {}, StageDescription, ctx);
    }
    return { identifier, attributes: { DeploymentId: id } };
  },

  async read(identifier, ctx, applied) {
    const key = keyOf(identifier);
    const found = await unless(ctx.call('apigateway', 'GetDeployment', key), GONE);
    if (!found) return undefined;
    return {
      properties: defined({
        Description: found.description || undefined,
        RestApiId: key.restApiId,
        DeploymentCanarySettings: applied?.DeploymentCanarySettings,
        StageDescription: applied && (await describedStage(key.restApiId, applied, ctx)),
        StageName: applied?.StageName,
      }),
      attributes: { DeploymentId: key.deploymentId },
    };
  },

  async update(identifier, previous, desired, ctx) {
    const { deploymentId, restApiId } = keyOf(identifier);
    const { Description: value = '', StageName: stageName } = desired;
    if ((previous.Description ?? '') !== value)
      await ctx.call('apigateway', 'UpdateDeployment', {
        deploymentId,
        restApiId,
        patchOperations: [{ op: 'replace', path: '/description', value }],
      });
    if (stageName === previous.StageName) {
      if (stageName !== undefined)
        await changeDescribedStage({ restApiId, stageName }, previous.StageDescription, desired.StageDescription, ctx);
      return;
    }
    await dropStage(identifier, previous.StageName, ctx);
    if (stageName === undefined) return;
    const stage = { restApiId, stageName };
    if (await unless(ctx.call('apigateway', 'GetStage', stage), GONE))
      await ctx.call('apigateway', 'UpdateStage', {
        ...stage,
        patchOperations: [{ op: 'replace', path: '/deploymentId', value: deploymentId }],
      });
    else await ctx.call('apigateway', 'CreateStage', { ...stage, deploymentId });
    await changeDescribedStage(stage, {}, desired.StageDescription, ctx);
  },

  async delete(identifier, { StageName: stageName }, ctx) {
    const { deploymentId, restApiId } = keyOf(identifier);
    await dropStage(identifier, stageName, ctx);
    await unless(ctx.call('apigateway', 'DeleteDeployment', { deploymentId, restApiId }), GONE);
  },
});
