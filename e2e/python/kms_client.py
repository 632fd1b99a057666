"""KMS with boto3: encryption with a context, data keys, MACs, grants, rotation and errors."""

import boto3

kms = boto3.client("kms")

key = kms.create_key(Description="of boto3", Tags=[{"TagKey": "team", "TagValue": "ä"}])["KeyMetadata"]
kms.create_alias(AliasName="alias/python", TargetKeyId=key["KeyId"])
context = {"app": "python"}
sealed = kms.encrypt(KeyId="alias/python", Plaintext=b"\x00secret", EncryptionContext=context)["CiphertextBlob"]
assert kms.decrypt(CiphertextBlob=sealed, EncryptionContext=context)["Plaintext"] == b"\x00secret"
try:
    kms.decrypt(CiphertextBlob=sealed)
    raise AssertionError("decrypted without the context")
except kms.exceptions.InvalidCiphertextException:
    pass

other = kms.create_key()["KeyMetadata"]["KeyId"]
again = kms.re_encrypt(CiphertextBlob=sealed, SourceEncryptionContext=context, DestinationKeyId=other)
assert again["KeyId"].endswith(other), again
assert kms.decrypt(CiphertextBlob=again["CiphertextBlob"], KeyId=other)["Plaintext"] == b"\x00secret"

data = kms.generate_data_key(KeyId="alias/python", KeySpec="AES_256")
assert len(data["Plaintext"]) == 32
assert kms.decrypt(CiphertextBlob=data["CiphertextBlob"])["Plaintext"] == data["Plaintext"]

mac_key = kms.create_key(KeySpec="HMAC_256", KeyUsage="GENERATE_VERIFY_MAC")["KeyMetadata"]["KeyId"]
mac = kms.generate_mac(KeyId=mac_key, Message=b"m", MacAlgorithm="HMAC_SHA_256")["Mac"]
assert kms.verify_mac(KeyId=mac_key, Message=b"m", Mac=mac, MacAlgorithm="HMAC_SHA_256")["MacValid"]

grant = kms.create_grant(
    KeyId=key["KeyId"], GranteePrincipal="arn:aws:iam::123456789012:role/app", Operations=["Decrypt"]
)
assert [g["GrantId"] for g in kms.list_grants(KeyId=key["KeyId"])["Grants"]] == [grant["GrantId"]]
kms.revoke_grant(KeyId=key["KeyId"], GrantId=grant["GrantId"])

kms.enable_key_rotation(KeyId=key["KeyId"])
kms.rotate_key_on_demand(KeyId=key["KeyId"])
assert kms.get_key_rotation_status(KeyId=key["KeyId"])["KeyRotationEnabled"]
assert kms.decrypt(CiphertextBlob=sealed, EncryptionContext=context)["Plaintext"] == b"\x00secret"

kms.disable_key(KeyId=key["KeyId"])
try:
    kms.encrypt(KeyId="alias/python", Plaintext=b"x")
    raise AssertionError("a disabled key encrypted")
except kms.exceptions.DisabledException as error:
    assert error.response["Error"]["Message"].endswith("is disabled."), error.response
assert len([k for page in kms.get_paginator("list_keys").paginate(Limit=1) for k in page["Keys"]]) >= 3
print("ok")
