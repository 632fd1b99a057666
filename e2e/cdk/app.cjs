// A CDK application whose stack has assets, custom resources of CDK, events and an event source.
const {
  App,
  CfnOutput,
  RemovalPolicy,
  Stack,
  aws_lambda: lambda,
  aws_lambda_event_sources: sources,
  aws_s3: s3,
  aws_s3_notifications: notifications,
  aws_sns: sns,
  aws_sns_subscriptions: subscriptions,
  aws_sqs: sqs,
} = require('aws-cdk-lib');

const stack = new Stack(new App(), 'Demo');
const queue = new sqs.Queue(stack, 'Queue');
const topic = new sns.Topic(stack, 'Topic');
topic.addSubscription(new subscriptions.SqsSubscription(queue));
const bucket = new s3.Bucket(stack, 'Bucket', { removalPolicy: RemovalPolicy.DESTROY, autoDeleteObjects: true });
bucket.addEventNotification(s3.EventType.OBJECT_CREATED, new notifications.SqsDestination(queue));
const handler = new lambda.Function(stack, 'Function', {
  runtime: lambda.Runtime.NODEJS_20_X,
  handler: 'index.handler',
  code: lambda.Code.fromAsset(`${__dirname}/functions`),
  environment: { QUEUE: queue.queueUrl },
});
handler.addEventSource(new sources.SqsEventSource(queue));
new CfnOutput(stack, 'BucketName', { value: bucket.bucketName });
