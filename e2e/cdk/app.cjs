// A CDK application with three stacks: APIs, functions with bundled and plain assets, a table with stream, queues, topic, rule,
// state machine, custom resources, copied files, parameter, secret, log group and alarm. Context values `greeting` and `broken` change it.
const { buildSync } = require('esbuild');
const { join } = require('node:path');
const {
  App,
  AssetHashType,
  CfnOutput,
  CustomResource,
  DockerImage,
  Duration,
  RemovalPolicy,
  Stack,
  aws_apigateway: apigateway,
  aws_apigatewayv2: apigatewayv2,
  aws_apigatewayv2_integrations: integrations,
  aws_cloudwatch: cloudwatch,
  aws_dynamodb: dynamodb,
  aws_events: events,
  aws_events_targets: targets,
  aws_lambda: lambda,
  aws_lambda_event_sources: sources,
  aws_logs: logs,
  aws_s3: s3,
  aws_s3_deployment: deployment,
  aws_s3_notifications: notifications,
  aws_secretsmanager: secretsmanager,
  aws_sns: sns,
  aws_sns_subscriptions: subscriptions,
  aws_sqs: sqs,
  aws_ssm: ssm,
  aws_stepfunctions: sfn,
  aws_stepfunctions_tasks: tasks,
  custom_resources: custom,
} = require('aws-cdk-lib');

const app = new App();
const greeting = app.node.tryGetContext('greeting') ?? 'hello';
const directory = join(__dirname, 'functions');

/** A file of functions/, bundled by esbuild on this machine. */
const bundled = (file) =>
  lambda.Code.fromAsset(directory, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      // CDK bundles once for the same options.
      command: [file],
      local: {
        tryBundle(outdir) {
          buildSync({
            entryPoints: [join(directory, file)],
            outfile: join(outdir, 'index.js'),
            bundle: true,
            platform: 'node',
            external: ['@aws-sdk/*'],
            define: { GREETING: JSON.stringify(greeting) },
          });
          return true;
        },
      },
    },
  });

const nodeFunction = (scope, id, file, more = {}) =>
  new lambda.Function(scope, id, {
    runtime: lambda.Runtime.NODEJS_20_X,
    handler: 'index.handler',
    code: bundled(file),
    ...more,
  });

const base = new Stack(app, 'Base');
const dead = new sqs.Queue(base, 'Dead');
const queue = new sqs.Queue(base, 'Queue', {
  deadLetterQueue: { queue: dead, maxReceiveCount: 3 },
  visibilityTimeout: Duration.seconds(app.node.tryGetContext('broken') ? 60 : 30),
});
const topic = new sns.Topic(base, 'Topic');
topic.addSubscription(new subscriptions.SqsSubscription(queue));
const table = new dynamodb.Table(base, 'Table', {
  partitionKey: { name: 'id', type: dynamodb.AttributeType.STRING },
  billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
  stream: dynamodb.StreamViewType.NEW_IMAGE,
  removalPolicy: RemovalPolicy.DESTROY,
});
// An existing name: the creation of the second fails, and earlier changes are rolled back.
const parameter = new ssm.StringParameter(base, 'Parameter', { parameterName: '/demo/greeting', stringValue: 'first' });
if (app.node.tryGetContext('broken')) {
  const taken = new ssm.StringParameter(base, 'Taken', { parameterName: '/demo/greeting', stringValue: 'second' });
  taken.node.addDependency(queue);
}

const main = new Stack(app, 'Main');
const hello = nodeFunction(main, 'Hello', 'hello.js', { environment: { TABLE: table.tableName } });
table.grantReadWriteData(hello);
const rest = new apigateway.LambdaRestApi(main, 'Rest', { handler: hello });
const http = new apigatewayv2.HttpApi(main, 'Http');
http.addRoutes({ path: '/hello', integration: new integrations.HttpLambdaIntegration('HelloRoute', hello) });
const reader = new lambda.Function(main, 'Reader', {
  runtime: lambda.Runtime.NODEJS_20_X,
  handler: 'index.handler',
  code: lambda.Code.fromAsset(directory),
});
reader.addEventSource(new sources.DynamoEventSource(table, { startingPosition: lambda.StartingPosition.LATEST }));
reader.addEventSource(new sources.SqsEventSource(queue));
const machine = new sfn.StateMachine(main, 'Machine', {
  definitionBody: sfn.DefinitionBody.fromChainable(
    new tasks.LambdaInvoke(main, 'Invoke', { lambdaFunction: hello, payloadResponseOnly: true }),
  ),
});
new events.Rule(main, 'Rule', {
  schedule: events.Schedule.rate(Duration.days(1)),
  targets: [new targets.SfnStateMachine(machine)],
});
const bucket = new s3.Bucket(main, 'Bucket', { removalPolicy: RemovalPolicy.DESTROY, autoDeleteObjects: true });
bucket.addEventNotification(s3.EventType.OBJECT_CREATED, new notifications.LambdaDestination(reader));
const removals = new sqs.Queue(main, 'Removals');
bucket.addEventNotification(s3.EventType.OBJECT_REMOVED, new notifications.SqsDestination(removals));
new logs.LogRetention(main, 'Retention', { logGroupName: '/demo/retained', retention: logs.RetentionDays.FIVE_DAYS });
const secret = new secretsmanager.Secret(main, 'Secret', { removalPolicy: RemovalPolicy.DESTROY });
new logs.LogGroup(main, 'Logs', { retention: logs.RetentionDays.ONE_WEEK, removalPolicy: RemovalPolicy.DESTROY });
new cloudwatch.Alarm(main, 'Alarm', {
  metric: queue.metricApproximateNumberOfMessagesVisible(),
  threshold: 10,
  evaluationPeriods: 1,
});
// A custom resource that calls an API, and one with its own handler functions.
const looked = new custom.AwsCustomResource(main, 'Looked', {
  onUpdate: {
    service: 'SSM',
    action: 'getParameter',
    parameters: { Name: parameter.parameterName },
    physicalResourceId: custom.PhysicalResourceId.of('looked'),
  },
  policy: custom.AwsCustomResourcePolicy.fromSdkCalls({ resources: custom.AwsCustomResourcePolicy.ANY_RESOURCE }),
  installLatestAwsSdk: false,
});
const provider = new custom.Provider(main, 'Provider', {
  onEventHandler: nodeFunction(main, 'OnEvent', 'provider.js', { handler: 'index.onEvent' }),
  isCompleteHandler: nodeFunction(main, 'IsComplete', 'provider.js', { handler: 'index.isComplete' }),
  queryInterval: Duration.seconds(1),
});
const made = new CustomResource(main, 'Made', { serviceToken: provider.serviceToken, properties: { Count: 5 } });

// A function of CDK with boto3 and the AWS CLI, which it runs by its path in /opt, copies files.
if (app.node.tryGetContext('site') !== undefined) {
  const site = new Stack(app, 'Site');
  const pages = new s3.Bucket(site, 'Pages', { removalPolicy: RemovalPolicy.DESTROY, autoDeleteObjects: true });
  new deployment.BucketDeployment(site, 'Files', {
    sources: [deployment.Source.asset(join(__dirname, 'site')), deployment.Source.data('greeting.txt', greeting)],
    destinationBucket: pages,
    destinationKeyPrefix: 'site',
    cacheControl: [deployment.CacheControl.maxAge(Duration.hours(1))],
  });
  new CfnOutput(site, 'PagesName', { value: pages.bucketName });
}

new CfnOutput(main, 'RestUrl', { value: rest.url });
new CfnOutput(main, 'HttpUrl', { value: http.apiEndpoint });
new CfnOutput(main, 'BucketName', { value: bucket.bucketName });
new CfnOutput(main, 'FunctionName', { value: hello.functionName });
new CfnOutput(main, 'SecretArn', { value: secret.secretArn });
new CfnOutput(main, 'Looked_', { value: looked.getResponseField('Parameter.Value') }).overrideLogicalId('Looked');
new CfnOutput(main, 'Made_', { value: made.getAttString('Counted') }).overrideLogicalId('Made');
new CfnOutput(base, 'QueueUrl', { value: queue.queueUrl });
