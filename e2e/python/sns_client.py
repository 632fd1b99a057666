"""SNS with boto3: topics, filtered subscriptions, batches and signatures' certificate."""

import json
import os
import urllib.request

import boto3
from botocore.exceptions import ClientError

sns = boto3.client("sns")
sqs = boto3.client("sqs")

topic = sns.create_topic(Name="python", Tags=[{"Key": "team", "Value": "ö"}])["TopicArn"]
assert topic == "arn:aws:sns:us-east-1:123456789012:python", topic
assert sns.list_tags_for_resource(ResourceArn=topic)["Tags"] == [{"Key": "team", "Value": "ö"}]

queue = sqs.create_queue(QueueName="python-sns")["QueueUrl"]
arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
subscription = sns.subscribe(
    TopicArn=topic,
    Protocol="sqs",
    Endpoint=arn,
    Attributes={"FilterPolicy": json.dumps({"colour": ["blue", {"prefix": "gr"}]})},
)["SubscriptionArn"]
assert subscription.startswith(topic + ":"), subscription


def coloured(colour):
    return {"colour": {"DataType": "String", "StringValue": colour}}


sent = sns.publish(TopicArn=topic, Subject="S", Message="hello & <goodbye> ✓", MessageAttributes=coloured("green"))
sns.publish(TopicArn=topic, Message="red", MessageAttributes=coloured("red"))
batch = sns.publish_batch(
    TopicArn=topic,
    PublishBatchRequestEntries=[{"Id": "1", "Message": "blue", "MessageAttributes": coloured("blue")}],
)
assert [entry["Id"] for entry in batch["Successful"]] == ["1"], batch
received = [json.loads(m["Body"]) for m in sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10)["Messages"]]
assert [body["Message"] for body in received] == ["hello & <goodbye> ✓", "blue"], received
assert received[0]["MessageId"] == sent["MessageId"]
assert received[0]["MessageAttributes"] == {"colour": {"Type": "String", "Value": "green"}}
with urllib.request.urlopen(received[0]["SigningCertURL"]) as answer:
    assert answer.headers["content-type"] == "application/x-pem-file"
    assert answer.read().startswith(b"-----BEGIN CERTIFICATE-----")

# The link in a message ends the subscription, without a signature.
with urllib.request.urlopen(received[0]["UnsubscribeURL"]) as answer:
    assert answer.status == 200
assert list(sns.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic))[0]["Subscriptions"] == []

try:
    sns.publish(TopicArn=topic + "-missing", Message="lost")
    raise AssertionError("a topic that does not exist took a message")
except sns.exceptions.NotFoundException as error:
    assert error.response["Error"] == {"Type": "Sender", "Code": "NotFound", "Message": "Topic does not exist"}
try:
    sns.subscribe(TopicArn=topic, Protocol="pigeon", Endpoint="loft")
    raise AssertionError("pigeons are no protocol")
except ClientError as error:
    assert error.response["Error"]["Code"] == "InvalidParameter"

resource = boto3.resource("sns").Topic(topic)
assert resource.attributes["SubscriptionsDeleted"] == "1"
resource.delete()
assert os.environ["AWS_ENDPOINT_URL"]
print("ok")
