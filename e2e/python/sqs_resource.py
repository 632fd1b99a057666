"""The resource of SQS, with a FIFO queue and its dead-letter queue."""

import json

import boto3

sqs = boto3.resource("sqs")
dead = sqs.create_queue(QueueName="dead.fifo", Attributes={"FifoQueue": "true"})
queue = sqs.create_queue(
    QueueName="orders.fifo",
    Attributes={
        "FifoQueue": "true",
        "ContentBasedDeduplication": "true",
        "RedrivePolicy": json.dumps({"deadLetterTargetArn": dead.attributes["QueueArn"], "maxReceiveCount": 1}),
    },
)
assert sqs.get_queue_by_name(QueueName="orders.fifo").url == queue.url
assert {one.url for one in sqs.queues.filter(QueueNamePrefix="orders")} == {queue.url}

# Two groups; the order within a group is kept, and a repeated body is one message.
for group in ("a", "b"):
    for number in range(3):
        queue.send_message(MessageBody=f"{group}{number}", MessageGroupId=group)
repeated = [queue.send_message(MessageBody="a2", MessageGroupId="a") for _ in range(2)]
assert repeated[0]["MessageId"] == repeated[1]["MessageId"]

seen = {"a": [], "b": []}
while sum(map(len, seen.values())) < 6:
    messages = queue.receive_messages(MaxNumberOfMessages=10, AttributeNames=["MessageGroupId", "SequenceNumber"])
    assert messages, seen
    for message in messages:
        seen[message.attributes["MessageGroupId"]].append(message.body)
        message.delete()
assert seen == {"a": ["a0", "a1", "a2"], "b": ["b0", "b1", "b2"]}, seen

# A message received more often than allowed is in the dead-letter queue.
queue.send_message(MessageBody="poison", MessageGroupId="c")
(message,) = queue.receive_messages()
message.change_visibility(VisibilityTimeout=0)
assert queue.receive_messages() == []
(message,) = dead.receive_messages(AttributeNames=["All"])
assert message.body == "poison"
assert message.attributes["DeadLetterQueueSourceArn"] == queue.attributes["QueueArn"]
assert [source.url for source in dead.dead_letter_source_queues.all()] == [queue.url]

queue.delete()
dead.delete()
print("ok")
