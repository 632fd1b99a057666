"""S3 with boto3: transfers in parts, conditions, presigned URLs and posts, paging and the resource API."""

import hashlib
import io
import json
import os
import urllib.request

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.client import Config
from botocore.exceptions import ClientError

s3 = boto3.client("s3")
MIB = 1024 * 1024

s3.create_bucket(Bucket="python")
assert s3.head_bucket(Bucket="python")["BucketRegion"] == "us-east-1"

large = os.urandom(21 * MIB + 5)
config = TransferConfig(multipart_threshold=6 * MIB, multipart_chunksize=6 * MIB, max_concurrency=4)
seen = []
s3.upload_fileobj(
    io.BytesIO(large),
    "python",
    "large",
    Config=config,
    Callback=seen.append,
    ExtraArgs={"Metadata": {"Kind": "large"}, "ContentType": "application/x-large"},
)
assert sum(seen) == len(large), sum(seen)
head = s3.head_object(Bucket="python", Key="large", ChecksumMode="ENABLED")
assert head["ETag"].endswith('-4"') and head["ContentLength"] == len(large), head
assert head["Metadata"] == {"kind": "large"} and head["ContentType"] == "application/x-large", head
back = io.BytesIO()
s3.download_fileobj("python", "large", back, Config=config)
assert hashlib.sha256(back.getvalue()).digest() == hashlib.sha256(large).digest()
part = s3.get_object(Bucket="python", Key="large", Range="bytes=-5")
assert part["Body"].read() == large[-5:] and part["ContentRange"].endswith(f"/{len(large)}"), part

# A copy above the threshold uses multipart upload.
s3.copy({"Bucket": "python", "Key": "large"}, "python", "copied", Config=config)
assert s3.head_object(Bucket="python", Key="copied")["ContentLength"] == len(large)

etag = s3.put_object(Bucket="python", Key="cond", Body=b"one")["ETag"]
for arguments, code in [({"IfNoneMatch": "*"}, "PreconditionFailed"), ({"IfMatch": '"0"'}, "PreconditionFailed")]:
    try:
        s3.put_object(Bucket="python", Key="cond", Body=b"two", **arguments)
        raise AssertionError("a condition that does not hold was overlooked")
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error.response
s3.put_object(Bucket="python", Key="cond", Body=b"two", IfMatch=etag)
try:
    s3.get_object(Bucket="python", Key="missing")
    raise AssertionError("there is no such key")
except s3.exceptions.NoSuchKey as error:
    assert error.response["Error"] == {
        "Code": "NoSuchKey",
        "Message": "The specified key does not exist.",
        "Key": "missing",
    }, error.response

url = s3.generate_presigned_url("put_object", Params={"Bucket": "python", "Key": "signed"}, ExpiresIn=60)
urllib.request.urlopen(urllib.request.Request(url, data=b"by url", method="PUT"))
assert s3.get_object(Bucket="python", Key="signed")["Body"].read() == b"by url"

form = s3.generate_presigned_post("python", "posted/${filename}", Conditions=[["starts-with", "$key", "posted/"]])
boundary = "----boundary"
body = "".join(
    f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
    for name, value in form["fields"].items()
)
body += f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nposted\r\n--{boundary}--\r\n'
request = urllib.request.Request(
    form["url"], data=body.encode(), headers={"content-type": f"multipart/form-data; boundary={boundary}"}
)
with urllib.request.urlopen(request) as answer:
    assert answer.status == 204, answer.status
assert s3.get_object(Bucket="python", Key="posted/a.txt")["Body"].read() == b"posted"

bucket = boto3.resource("s3").Bucket("python")
for number in range(25):
    bucket.put_object(Key=f"many/{number:03}/ü", Body=json.dumps(number).encode())
pages = list(s3.get_paginator("list_objects_v2").paginate(Bucket="python", Prefix="many/", Delimiter="/", PaginationConfig={"PageSize": 10}))
assert [len(page["CommonPrefixes"]) for page in pages] == [10, 10, 5], pages
assert [summary.key for summary in bucket.objects.filter(Prefix="many/02")] == [f"many/{n:03}/ü" for n in range(20, 25)]
assert len(bucket.objects.all().delete()[0]["Deleted"]) == 30
bucket.delete()
bucket.wait_until_not_exists()
print("ok")
