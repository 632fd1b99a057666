"""The client of SQS: messages, batches, long polls, visibility and errors."""

import threading
import time

import boto3
from botocore.exceptions import ClientError

sqs = boto3.client("sqs")
url = sqs.create_queue(QueueName="client", Attributes={"VisibilityTimeout": "30"})["QueueUrl"]
assert sqs.get_queue_url(QueueName="client")["QueueUrl"] == url
assert sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["VisibilityTimeout"])["Attributes"] == {
    "VisibilityTimeout": "30"
}

# boto3 verifies the MD5 sums of returned bodies and attributes.
sent = sqs.send_message(
    QueueUrl=url,
    MessageBody="first",
    MessageAttributes={
        "text": {"DataType": "String", "StringValue": "a"},
        "number": {"DataType": "Number.int", "StringValue": "1"},
        "bytes": {"DataType": "Binary", "BinaryValue": b"\x00\xff"},
    },
)
(message,) = sqs.receive_message(QueueUrl=url, MessageAttributeNames=["All"])["Messages"]
assert message["MessageId"] == sent["MessageId"]
assert message["MessageAttributes"]["bytes"]["BinaryValue"] == b"\x00\xff"
assert "Messages" not in sqs.receive_message(QueueUrl=url), "a received message is not visible"
sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0)
(again,) = sqs.receive_message(QueueUrl=url, AttributeNames=["ApproximateReceiveCount"])["Messages"]
assert again["Attributes"]["ApproximateReceiveCount"] == "2"
sqs.delete_message(QueueUrl=url, ReceiptHandle=again["ReceiptHandle"])

# A batch with one invalid entry.
result = sqs.send_message_batch(
    QueueUrl=url,
    Entries=[
        {"Id": "good", "MessageBody": "1"},
        {"Id": "late", "MessageBody": "2", "DelaySeconds": 901},
    ],
)
assert [entry["Id"] for entry in result["Successful"]] == ["good"]
assert [(entry["Id"], entry["SenderFault"]) for entry in result["Failed"]] == [("late", True)]
(message,) = sqs.receive_message(QueueUrl=url)["Messages"]
result = sqs.delete_message_batch(
    QueueUrl=url,
    Entries=[{"Id": "a", "ReceiptHandle": message["ReceiptHandle"]}, {"Id": "b", "ReceiptHandle": "nonsense"}],
)
assert [entry["Id"] for entry in result["Successful"]] == ["a"]
assert [entry["Code"] for entry in result["Failed"]] == ["ReceiptHandleIsInvalid"]

# A long poll returns the message that arrives during it.
timer = threading.Timer(1, lambda: sqs.send_message(QueueUrl=url, MessageBody="awaited"))
timer.start()
started = time.monotonic()
(message,) = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"]
assert message["Body"] == "awaited"
assert 0.5 < time.monotonic() - started < 15
timer.join()

try:
    sqs.get_queue_url(QueueName="nobody")
    raise AssertionError("there is no such queue")
except sqs.exceptions.QueueDoesNotExist as error:
    assert error.response["Error"]["Code"] == "AWS.SimpleQueueService.NonExistentQueue"
try:
    sqs.create_queue(QueueName="client", Attributes={"VisibilityTimeout": "31"})
    raise AssertionError("the attributes differ")
except ClientError as error:
    assert error.response["Error"]["Code"] == "QueueAlreadyExists", error.response

sqs.delete_queue(QueueUrl=url)
print("ok")
