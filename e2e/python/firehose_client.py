"""The client of Firehose: delivery streams, records, updates and tags."""

import time

import boto3
from botocore.exceptions import ClientError

firehose = boto3.client("firehose")
s3 = boto3.client("s3")
s3.create_bucket(Bucket="firehose-client")
firehose.create_delivery_stream(
    DeliveryStreamName="client",
    ExtendedS3DestinationConfiguration={
        "RoleARN": "arn:aws:iam::123456789012:role/firehose",
        "BucketARN": "arn:aws:s3:::firehose-client",
        "BufferingHints": {"SizeInMBs": 1, "IntervalInSeconds": 0},
    },
    Tags=[{"Key": "team", "Value": "orders"}],
)


def describe():
    return firehose.describe_delivery_stream(DeliveryStreamName="client")["DeliveryStreamDescription"]


while describe()["DeliveryStreamStatus"] != "ACTIVE":
    time.sleep(0.05)

put = firehose.put_record_batch(DeliveryStreamName="client", Records=[{"Data": b"a"}, {"Data": b"b"}])
assert put["FailedPutCount"] == 0 and len(put["RequestResponses"]) == 2

objects = []
deadline = time.monotonic() + 20
while not objects and time.monotonic() < deadline:
    objects = s3.list_objects_v2(Bucket="firehose-client").get("Contents", [])
assert "/client-1-" in objects[0]["Key"], objects
assert s3.get_object(Bucket="firehose-client", Key=objects[0]["Key"])["Body"].read() == b"ab"

firehose.update_destination(
    DeliveryStreamName="client",
    CurrentDeliveryStreamVersionId="1",
    DestinationId=describe()["Destinations"][0]["DestinationId"],
    ExtendedS3DestinationUpdate={"Prefix": "p/"},
)
assert describe()["VersionId"] == "2"
assert firehose.list_tags_for_delivery_stream(DeliveryStreamName="client")["Tags"] == [
    {"Key": "team", "Value": "orders"}
]

try:
    firehose.describe_delivery_stream(DeliveryStreamName="missing")
    raise AssertionError("a missing delivery stream was described")
except ClientError as error:
    assert error.response["Error"] == {
        "Code": "ResourceNotFoundException",
        "Message": "Firehose missing under account 123456789012 not found.",
    }, error.response

firehose.delete_delivery_stream(DeliveryStreamName="client")
print("ok")
