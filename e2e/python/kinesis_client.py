"""The client of Kinesis: streams, records, iterators, resharding and consumers."""

import boto3
from botocore.exceptions import ClientError

kinesis = boto3.client("kinesis")
kinesis.create_stream(StreamName="client", ShardCount=2)
kinesis.get_waiter("stream_exists").wait(StreamName="client", WaiterConfig={"Delay": 1})
arn = kinesis.describe_stream_summary(StreamName="client")["StreamDescriptionSummary"]["StreamARN"]

put = kinesis.put_records(
    StreamName="client",
    Records=[{"PartitionKey": key, "Data": key.encode()} for key in ("a", "b", "ü")],
)
assert put["FailedRecordCount"] == 0


def read(shard):
    iterator = kinesis.get_shard_iterator(StreamName="client", ShardId=shard, ShardIteratorType="TRIM_HORIZON")
    answer = kinesis.get_records(ShardIterator=iterator["ShardIterator"])
    return [record["Data"].decode() for record in answer["Records"]], answer.get("NextShardIterator")


shards = [shard["ShardId"] for shard in kinesis.list_shards(StreamName="client")["Shards"]]
assert sorted(text for shard in shards for text in read(shard)[0]) == ["a", "b", "ü"]

kinesis.merge_shards(StreamName="client", ShardToMerge=shards[0], AdjacentShardToMerge=shards[1])
kinesis.get_waiter("stream_exists").wait(StreamName="client", WaiterConfig={"Delay": 1})
assert read(shards[0])[1] is None, "a closed shard ends"
(child,) = [
    shard for shard in kinesis.list_shards(StreamName="client", ShardFilter={"Type": "AT_LATEST"})["Shards"]
]
assert (child["ParentShardId"], child["AdjacentParentShardId"]) == tuple(shards)

consumer = kinesis.register_stream_consumer(StreamARN=arn, ConsumerName="reader")["Consumer"]["ConsumerARN"]
while kinesis.describe_stream_consumer(ConsumerARN=consumer)["ConsumerDescription"]["ConsumerStatus"] != "ACTIVE":
    pass
kinesis.put_record(StreamARN=arn, PartitionKey="k", Data=b"pushed")
stream = kinesis.subscribe_to_shard(
    ConsumerARN=consumer, ShardId=child["ShardId"], StartingPosition={"Type": "TRIM_HORIZON"}
)["EventStream"]
event = next(iter(stream))["SubscribeToShardEvent"]
assert [record["Data"] for record in event["Records"]] == [b"pushed"]
stream.close()

try:
    kinesis.describe_stream(StreamName="missing")
    raise AssertionError("a missing stream was described")
except ClientError as error:
    assert error.response["Error"] == {
        "Code": "ResourceNotFoundException",
        "Message": "Stream missing under account 123456789012 not found.",
    }, error.response

kinesis.delete_stream(StreamName="client", EnforceConsumerDeletion=True)
kinesis.get_waiter("stream_not_exists").wait(StreamName="client", WaiterConfig={"Delay": 1})
print("ok")
