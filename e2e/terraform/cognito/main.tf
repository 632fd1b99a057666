variable "package" {
  type = string
}

resource "aws_lambda_function" "signed_in" {
  function_name    = "signed-in"
  role             = "arn:aws:iam::123456789012:role/signed-in"
  runtime          = "nodejs20.x"
  handler          = "index.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
}

resource "aws_lambda_permission" "signed_in" {
  statement_id  = "user-pool"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.signed_in.function_name
  principal     = "cognito-idp.amazonaws.com"
  source_arn    = aws_cognito_user_pool.shop.arn
}

resource "aws_cognito_user_pool" "shop" {
  name                     = "terraform-shop"
  alias_attributes         = ["email", "preferred_username"]
  auto_verified_attributes = ["email"]
  mfa_configuration        = "OPTIONAL"

  software_token_mfa_configuration {
    enabled = true
  }

  lambda_config {
    post_authentication = aws_lambda_function.signed_in.arn
  }

  password_policy {
    minimum_length                   = 10
    require_lowercase                = true
    require_numbers                  = true
    require_symbols                  = false
    require_uppercase                = true
    temporary_password_validity_days = 3
  }

  schema {
    name                = "tier"
    attribute_data_type = "String"
    mutable             = true

    string_attribute_constraints {
      min_length = 1
      max_length = 10
    }
  }

  account_recovery_setting {
    recovery_mechanism {
      name     = "verified_email"
      priority = 1
    }
  }

  device_configuration {
    challenge_required_on_new_device      = true
    device_only_remembered_on_user_prompt = false
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_cognito_resource_server" "api" {
  user_pool_id = aws_cognito_user_pool.shop.id
  identifier   = "https://api.example.com"
  name         = "api"

  scope {
    scope_name        = "read"
    scope_description = "reads"
  }
}

resource "aws_cognito_user_pool_client" "web" {
  name                                 = "web"
  user_pool_id                         = aws_cognito_user_pool.shop.id
  generate_secret                      = true
  explicit_auth_flows                  = ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
  allowed_oauth_flows_user_pool_client = true
  allowed_oauth_flows                  = ["code"]
  allowed_oauth_scopes                 = concat(["openid"], aws_cognito_resource_server.api.scope_identifiers)
  callback_urls                        = ["https://app.example.com/callback"]
  logout_urls                          = ["https://app.example.com/"]
  supported_identity_providers         = ["COGNITO"]
  access_token_validity                = 30
  id_token_validity                    = 30
  refresh_token_validity               = 7

  token_validity_units {
    access_token  = "minutes"
    id_token      = "minutes"
    refresh_token = "days"
  }
}

resource "aws_cognito_user_pool_domain" "shop" {
  domain       = "terraform-shop"
  user_pool_id = aws_cognito_user_pool.shop.id
}

resource "aws_cognito_user_group" "admins" {
  name         = "admins"
  user_pool_id = aws_cognito_user_pool.shop.id
  description  = "those who may do everything"
  precedence   = 1
}

resource "aws_cognito_user" "jane" {
  user_pool_id   = aws_cognito_user_pool.shop.id
  username       = "jane"
  message_action = "SUPPRESS"

  attributes = {
    email          = "jane@example.com"
    email_verified = "true"
  }
}

resource "aws_cognito_user_in_group" "jane" {
  user_pool_id = aws_cognito_user_pool.shop.id
  group_name   = aws_cognito_user_group.admins.name
  username     = aws_cognito_user.jane.username
}

output "client" {
  value = "${aws_cognito_user_pool.shop.id} ${aws_cognito_user_pool_client.web.id}"
}

resource "aws_cognito_user_pool_ui_customization" "shop" {
  user_pool_id = aws_cognito_user_pool_domain.shop.user_pool_id
  css          = ".label-customizable { font-weight: 400; }"
}

resource "aws_cognito_identity_provider" "issuer" {
  user_pool_id  = aws_cognito_user_pool.shop.id
  provider_name = "Issuer"
  provider_type = "OIDC"

  provider_details = {
    client_id                     = "shop"
    client_secret                 = "secret"
    attributes_request_method     = "GET"
    oidc_issuer                   = "https://issuer.example.com"
    authorize_scopes              = "openid email"
    attributes_url_add_attributes = "false"
  }

  attribute_mapping = {
    email    = "email"
    username = "sub"
  }
}

resource "aws_cognito_identity_pool" "shop" {
  identity_pool_name               = "terraform shop"
  allow_unauthenticated_identities = true

  cognito_identity_providers {
    client_id               = aws_cognito_user_pool_client.web.id
    provider_name           = aws_cognito_user_pool.shop.endpoint
    server_side_token_check = true
  }

  tags = {
    Team = "orders"
  }
}

data "aws_iam_policy_document" "trust" {
  for_each = toset(["authenticated", "unauthenticated"])

  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = ["cognito-identity.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "cognito-identity.amazonaws.com:aud"
      values   = [aws_cognito_identity_pool.shop.id]
    }

    condition {
      test     = "ForAnyValue:StringLike"
      variable = "cognito-identity.amazonaws.com:amr"
      values   = [each.key]
    }
  }
}

resource "aws_iam_role" "identities" {
  for_each           = data.aws_iam_policy_document.trust
  name               = "terraform-shop-${each.key}"
  assume_role_policy = each.value.json
}

resource "aws_cognito_identity_pool_roles_attachment" "shop" {
  identity_pool_id = aws_cognito_identity_pool.shop.id

  roles = { for kind, role in aws_iam_role.identities : kind => role.arn }
}

output "identity_pool" {
  value = aws_cognito_identity_pool.shop.id
}
