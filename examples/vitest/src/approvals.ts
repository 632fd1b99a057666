import {
  CreateActivityCommand,
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  GetActivityTaskCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';

/** ARNs of the order workflow. */
export interface Workflow {
  sfn: SFNClient;
  stateMachineArn: string;
  /** Activities for approval, payment and refund. */
  activities: { approve: string; pay: string; refund: string };
}

/**
 * Creates the workflow: an order waits a day for approval, is paid with retries, and is refunded if it cannot be
 * shipped.
 */
export async function createWorkflow(sfn: SFNClient, roleArn: string): Promise<Workflow> {
  const activity = async (name: string) => (await sfn.send(new CreateActivityCommand({ name }))).activityArn!;
  const [approve, pay, refund] = await Promise.all(['approve', 'pay', 'refund'].map(activity));
  const definition = {
    StartAt: 'Approve',
    States: {
      Approve: {
        Type: 'Task',
        Resource: approve,
        TimeoutSeconds: 86_400,
        ResultPath: '$.approval',
        Catch: [{ ErrorEquals: ['States.Timeout'], ResultPath: null, Next: 'Expired' }],
        Next: 'Pay',
      },
      Pay: {
        Type: 'Task',
        Resource: pay,
        Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 60, BackoffRate: 2, MaxAttempts: 2 }],
        ResultPath: '$.payment',
        Next: 'Cool off',
      },
      'Cool off': { Type: 'Wait', Seconds: 14 * 86_400, Next: 'In stock?' },
      'In stock?': {
        Type: 'Choice',
        Choices: [{ Variable: '$.inStock', BooleanEquals: true, Next: 'Shipped' }],
        Default: 'Refund',
      },
      Refund: { Type: 'Task', Resource: refund, ResultPath: '$.refund', Next: 'Undone' },
      Shipped: { Type: 'Succeed' },
      Undone: { Type: 'Fail', Error: 'OutOfStock', Cause: 'The money was given back.' },
      Expired: { Type: 'Fail', Error: 'NotApproved' },
    },
  };
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({ name: 'orders', roleArn, definition: JSON.stringify(definition) }),
  );
  return {
    sfn,
    stateMachineArn: stateMachineArn!,
    activities: { approve: approve!, pay: pay!, refund: refund! },
  };
}

/** Starts an order. @returns the ARN of its execution */
export async function placeOrder({ sfn, stateMachineArn }: Workflow, order: object): Promise<string> {
  const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(order) }));
  return executionArn!;
}

/**
 * Completes the next task of an activity, as one of its workers.
 * @param failure name of an error; undefined for a success
 */
export async function work({ sfn }: Workflow, activityArn: string, failure?: string): Promise<unknown> {
  const { taskToken, input } = await sfn.send(new GetActivityTaskCommand({ activityArn }));
  if (failure === undefined) await sfn.send(new SendTaskSuccessCommand({ taskToken, output: '{"done":true}' }));
  else await sfn.send(new SendTaskFailureCommand({ taskToken, error: failure }));
  return JSON.parse(input!) as unknown;
}

/** Returns the status of an order. */
export async function outcome({ sfn }: Workflow, executionArn: string): Promise<string> {
  const { status, error } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
  return error === undefined ? status! : `${status}: ${error}`;
}
