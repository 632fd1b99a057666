resource "aws_cognito_user_pool" "shop" {
  name                     = "terraform-shop"
  alias_attributes         = ["email", "preferred_username"]
  auto_verified_attributes = ["email"]
  mfa_configuration        = "OPTIONAL"

  software_token_mfa_configuration {
    enabled = true
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
