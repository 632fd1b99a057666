import { assertAwsResourceProperty, executeAwsApi, waitForAwsResourceProperty } from './api.ts';
import { approve, pause } from './approvals.ts';
import { runCommand } from './commands.ts';
import { branch, loop, sleep, updateVariable } from './flow.ts';
import { executeAutomation, executeStateMachine, invokeLambdaFunction } from './functions.ts';
import { executeScript } from './script.ts';
import { createStack, createTags, deleteStack } from './stacks.ts';
import type { Action } from './types.ts';
import { invokeWebhook } from './webhook.ts';

export type { ActionResult } from './types.ts';

/**
 * Supported actions. Actions on EC2 instances and images fail when they run.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-actions.html
 */
export const ACTIONS: Readonly<Record<string, Action>> = {
  'aws:approve': approve,
  'aws:assertAwsResourceProperty': assertAwsResourceProperty,
  'aws:branch': branch,
  'aws:createStack': createStack,
  'aws:createTags': createTags,
  'aws:deleteStack': deleteStack,
  'aws:executeAutomation': executeAutomation,
  'aws:executeAwsApi': executeAwsApi,
  'aws:executeScript': executeScript,
  'aws:executeStateMachine': executeStateMachine,
  'aws:invokeLambdaFunction': invokeLambdaFunction,
  'aws:invokeWebhook': invokeWebhook,
  'aws:loop': loop,
  'aws:pause': pause,
  'aws:runCommand': runCommand,
  'aws:sleep': sleep,
  'aws:updateVariable': updateVariable,
  'aws:waitForAwsResourceProperty': waitForAwsResourceProperty,
};
