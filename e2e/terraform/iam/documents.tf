variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

locals {
  trust = {
    for service in ["ec2", "lambda"] : service => jsonencode({
      Version = "2012-10-17"
      Statement = [{
        Action    = "sts:AssumeRole"
        Effect    = "Allow"
        Sid       = ""
        Principal = { Service = "${service}.amazonaws.com" }
      }]
    })
  }
  read = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["ec2:Describe*"], Resource = "*" }]
  })
}

variable "certificate" {
  description = "self-signed certificate in PEM"
  type        = string
}

variable "private_key" {
  description = "private key of the certificate in PEM"
  type        = string
}

resource "aws_iam_role" "changing" {
  name_prefix           = "changing-"
  description           = var.changed ? "Second" : "First"
  assume_role_policy    = local.trust[var.changed ? "lambda" : "ec2"]
  force_detach_policies = true
  max_session_duration  = var.changed ? 3600 : 7200
  permissions_boundary  = var.changed ? null : aws_iam_policy.versions.arn

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_iam_role" "inline" {
  name                = "inline"
  assume_role_policy  = local.trust.ec2
  managed_policy_arns = [aws_iam_policy.versions.arn]

  inline_policy {
    name   = "first"
    policy = local.read
  }

  dynamic "inline_policy" {
    for_each = var.changed ? [] : [1]
    content {
      name   = "second"
      policy = local.read
    }
  }
}

resource "aws_iam_role" "exclusive" {
  name               = "exclusive"
  assume_role_policy = local.trust.ec2
}

resource "aws_iam_role_policy" "exclusive" {
  for_each = toset(var.changed ? ["first", "second"] : ["first"])
  name     = each.key
  role     = aws_iam_role.exclusive.name
  policy   = local.read
}

resource "aws_iam_role_policies_exclusive" "exclusive" {
  role_name    = aws_iam_role.exclusive.name
  policy_names = [for policy in aws_iam_role_policy.exclusive : policy.name]
}

resource "aws_iam_role_policy_attachment" "exclusive" {
  role       = aws_iam_role.exclusive.name
  policy_arn = aws_iam_policy.versions.arn
}

resource "aws_iam_role_policy_attachments_exclusive" "exclusive" {
  role_name   = aws_iam_role.exclusive.name
  policy_arns = [aws_iam_role_policy_attachment.exclusive.policy_arn]
}

resource "aws_iam_policy" "versions" {
  name_prefix = "versions-"

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = [var.changed ? "s3:Get*" : "s3:List*"], Resource = "*" }]
  })

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_iam_policy_attachment" "everywhere" {
  name       = "everywhere"
  users      = [aws_iam_user.keys.name]
  roles      = var.changed ? [] : [aws_iam_role.changing.name]
  groups     = [aws_iam_group.exclusive.name]
  policy_arn = aws_iam_policy.everywhere.arn
}

resource "aws_iam_policy" "everywhere" {
  name   = "everywhere"
  policy = local.read
}

resource "aws_iam_group" "exclusive" {
  name = "exclusive"
}

resource "aws_iam_group" "renamed" {
  name = var.changed ? "renamed-2" : "renamed-1"
}

resource "aws_iam_group" "second" {
  name = "second"
}

resource "aws_iam_group_policy" "exclusive" {
  name   = "inline"
  group  = aws_iam_group.exclusive.name
  policy = local.read
}

resource "aws_iam_group_policies_exclusive" "exclusive" {
  group_name   = aws_iam_group.exclusive.name
  policy_names = [aws_iam_group_policy.exclusive.name]
}

resource "aws_iam_group_policy_attachments_exclusive" "exclusive" {
  group_name  = aws_iam_group.exclusive.name
  policy_arns = [aws_iam_policy.everywhere.arn]
  depends_on  = [aws_iam_policy_attachment.everywhere]
}

resource "aws_iam_user" "keys" {
  name          = "keys"
  path          = var.changed ? "/second/" : "/first/"
  force_destroy = true

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_iam_user_group_membership" "keys" {
  user   = aws_iam_user.keys.name
  groups = var.changed ? [aws_iam_group.second.name] : [aws_iam_group.exclusive.name]
}

resource "aws_iam_access_key" "keys" {
  user   = aws_iam_user.keys.name
  status = var.changed ? "Inactive" : "Active"
}

resource "aws_iam_user_policy" "keys" {
  name_prefix = "inline-"
  user        = aws_iam_user.keys.name
  policy      = var.changed ? data.aws_iam_policy_document.orders.json : local.read
}

resource "aws_iam_user_policies_exclusive" "keys" {
  user_name    = aws_iam_user.keys.name
  policy_names = [aws_iam_user_policy.keys.name]
}

resource "aws_iam_user_policy_attachments_exclusive" "keys" {
  user_name   = aws_iam_user.keys.name
  policy_arns = [aws_iam_policy.everywhere.arn]
  depends_on  = [aws_iam_policy_attachment.everywhere]
}

resource "aws_iam_service_specific_credential" "keys" {
  service_name = "codecommit.amazonaws.com"
  user_name    = aws_iam_user.keys.name
  status       = var.changed ? "Inactive" : "Active"
}

resource "aws_iam_user_ssh_key" "keys" {
  username   = aws_iam_user.keys.name
  encoding   = "SSH"
  status     = var.changed ? "Inactive" : "Active"
  public_key = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCwAC10z3aTXc6rjO/+CaFsVbJS9lfcrlSMXwAf7Y3c8Fb6LkXGc9nQJsP/702tyGgETXCGRCe4x7a4bUc7mQ5FaEwrj/JfRA0F11X4zy+mHDEJqgESE1MQkc9MZ3wXYm80ypd2qL06s7E5zGwwg9gSKx+Sma4xWx1fG87I1mdI9pokkws1GkLrr8aFOIKuSmhQj32kLZYx6VNSwozdl6cQbQ0bMNJfLAQwUImBnLA5/HvswMGjOOf9vvsnKs4eaZtnDDfSa6Lg6SRMMiSSfYukAYvUt92xEzpKnGA9aH6anU+wdCNRvJeJwuMfqocIXT9fKYgH5r3hrXF33btygwfr"
}

resource "aws_iam_signing_certificate" "keys" {
  user_name        = aws_iam_user.keys.name
  certificate_body = var.certificate
  status           = var.changed ? "Inactive" : "Active"
}

resource "aws_iam_server_certificate" "site" {
  name             = "site"
  path             = "/cloudfront/"
  certificate_body = var.certificate
  private_key      = var.private_key

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_iam_virtual_mfa_device" "phone" {
  virtual_mfa_device_name = "phone"

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_iam_saml_provider" "company" {
  name                   = "company"
  saml_metadata_document = <<-E
    <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/metadata">
      <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <md:KeyDescriptor use="signing">
          <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
            <ds:X509Data>
              <ds:X509Certificate>${replace(replace(var.certificate, "/-----[^-]+-----/", ""), "\n", "")}</ds:X509Certificate>
            </ds:X509Data>
          </ds:KeyInfo>
        </md:KeyDescriptor>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/${var.changed ? "second" : "first"}"/>
      </md:IDPSSODescriptor>
    </md:EntityDescriptor>
  E


  tags = {
    Team = "orders"
  }
}

resource "aws_iam_security_token_service_preferences" "account" {
  global_endpoint_token_version = var.changed ? "v2Token" : "v1Token"
}

resource "aws_iam_openid_connect_provider" "issuer" {
  url            = "https://accounts.example.com"
  client_id_list = var.changed ? ["second", "third"] : ["first", "second"]
}

resource "aws_iam_service_linked_role" "suffixed" {
  aws_service_name = "autoscaling.amazonaws.com"
  custom_suffix    = "orders"
  description      = var.changed ? "Second" : "First"
}

resource "aws_iam_instance_profile" "changing" {
  name_prefix = "changing-"
  path        = "/team/"
  role        = var.changed ? aws_iam_role.exclusive.name : aws_iam_role.changing.name
}
