variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_iam_role" "messages" {
  name = "cognito-messages"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "cognito-idp.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_kms_key" "messages" {
  description             = "cognito-messages"
  deletion_window_in_days = 7
}

resource "aws_cognito_user_pool" "settings" {
  name                       = "terraform-settings"
  username_attributes        = ["email", "phone_number"]
  auto_verified_attributes   = ["email", "phone_number"]
  deletion_protection        = "INACTIVE"
  mfa_configuration          = var.changed ? "ON" : "OPTIONAL"
  sms_authentication_message = "Your code is {####}"
  user_pool_tier             = "PLUS"

  admin_create_user_config {
    allow_admin_create_user_only = var.changed

    invite_message_template {
      email_message = "{username} {####}"
      email_subject = var.changed ? "Come in" : "Welcome"
      sms_message   = "{username} {####}"
    }
  }

  email_configuration {
    email_sending_account  = "COGNITO_DEFAULT"
    reply_to_email_address = var.changed ? "second@example.com" : "first@example.com"
  }

  sms_configuration {
    external_id    = "external"
    sns_caller_arn = aws_iam_role.messages.arn
    sns_region     = "eu-central-1"
  }

  software_token_mfa_configuration {
    enabled = var.changed
  }

  lambda_config {
    define_auth_challenge          = aws_lambda_function.signed_in.arn
    create_auth_challenge          = aws_lambda_function.signed_in.arn
    verify_auth_challenge_response = aws_lambda_function.signed_in.arn
    user_migration                 = var.changed ? null : aws_lambda_function.signed_in.arn
    kms_key_id                     = aws_kms_key.messages.arn

    pre_token_generation_config {
      lambda_arn     = aws_lambda_function.signed_in.arn
      lambda_version = "V2_0"
    }

    custom_email_sender {
      lambda_arn     = aws_lambda_function.signed_in.arn
      lambda_version = "V1_0"
    }
  }

  password_policy {
    minimum_length                   = 8
    password_history_size            = var.changed ? 4 : 3
    require_lowercase                = true
    require_numbers                  = true
    require_symbols                  = true
    require_uppercase                = true
    temporary_password_validity_days = 7
  }

  schema {
    name                     = "size"
    attribute_data_type      = "Number"
    developer_only_attribute = false
    mutable                  = true
    required                 = false

    number_attribute_constraints {
      min_value = 1
      max_value = 20
    }
  }

  schema {
    name                = "born"
    attribute_data_type = "DateTime"
    mutable             = false
  }

  dynamic "schema" {
    for_each = var.changed ? [1] : []
    content {
      name                = "later"
      attribute_data_type = "Boolean"
      mutable             = true
    }
  }

  user_attribute_update_settings {
    attributes_require_verification_before_update = ["email"]
  }

  user_pool_add_ons {
    advanced_security_mode = var.changed ? "AUDIT" : "ENFORCED"
  }

  username_configuration {
    case_sensitive = false
  }

  verification_message_template {
    default_email_option  = "CONFIRM_WITH_LINK"
    email_message         = "Code {####}"
    email_subject         = var.changed ? "Second" : "First"
    email_message_by_link = "{##Click here##}"
    email_subject_by_link = "Link"
    sms_message           = "Code {####}"
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_cognito_user_pool" "plain" {
  name = "terraform-plain"

  sign_in_policy {
    allowed_first_auth_factors = var.changed ? ["PASSWORD"] : ["PASSWORD", "EMAIL_OTP"]
  }

  web_authn_configuration {
    relying_party_id  = "shop.example"
    user_verification = "preferred"
  }
}

resource "aws_cognito_user_pool_client" "settings" {
  name                                          = var.changed ? "second" : "first"
  user_pool_id                                  = aws_cognito_user_pool.settings.id
  explicit_auth_flows                           = ["ALLOW_CUSTOM_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
  prevent_user_existence_errors                 = "ENABLED"
  enable_token_revocation                       = !var.changed
  enable_propagate_additional_user_context_data = false
  auth_session_validity                         = var.changed ? 5 : 3
  read_attributes                               = ["email"]
  write_attributes                              = ["email"]
}

resource "aws_cognito_user_pool_client" "plain" {
  name         = "plain"
  user_pool_id = aws_cognito_user_pool.plain.id
}

resource "aws_cognito_user_pool_client" "implicit" {
  name                                 = "implicit"
  user_pool_id                         = aws_cognito_user_pool.plain.id
  allowed_oauth_flows_user_pool_client = true
  allowed_oauth_flows                  = ["code", "implicit"]
  allowed_oauth_scopes                 = ["email", "openid"]
  callback_urls                        = ["https://b.example.com", "https://a.example.com"]
  default_redirect_uri                 = "https://a.example.com"
  supported_identity_providers         = ["COGNITO"]

  refresh_token_rotation {
    feature                    = "ENABLED"
    retry_grace_period_seconds = var.changed ? 20 : 10
  }
}

resource "aws_cognito_user_pool_client" "managed" {
  name         = "managed-orders"
  user_pool_id = aws_cognito_user_pool.plain.id

  lifecycle {
    ignore_changes = all
  }
}

resource "aws_cognito_managed_user_pool_client" "managed" {
  name_prefix            = "managed-"
  user_pool_id           = aws_cognito_user_pool.plain.id
  refresh_token_validity = var.changed ? 20 : 10
  depends_on             = [aws_cognito_user_pool_client.managed]
}

resource "aws_cognito_user_pool_domain" "custom" {
  domain          = "login.shop.example"
  certificate_arn = "arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-4000-8000-000000000000"
  user_pool_id    = aws_cognito_user_pool.plain.id

  managed_login_version = 2
}

resource "aws_cognito_user_pool_ui_customization" "client" {
  user_pool_id = aws_cognito_user_pool_domain.shop.user_pool_id
  client_id    = aws_cognito_user_pool_client.web.id
  css          = ".label-customizable {font-weight: ${var.changed ? 500 : 400};}"
  image_file   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}

resource "aws_cognito_risk_configuration" "settings" {
  user_pool_id = aws_cognito_user_pool.settings.id

  risk_exception_configuration {
    blocked_ip_range_list = var.changed ? ["10.10.10.10/32", "10.10.10.11/32"] : ["10.10.10.10/32"]
  }

  compromised_credentials_risk_configuration {
    event_filter = ["SIGN_IN"]

    actions {
      event_action = "BLOCK"
    }
  }
}

resource "aws_cognito_risk_configuration" "client" {
  user_pool_id = aws_cognito_user_pool.settings.id
  client_id    = aws_cognito_user_pool_client.settings.id

  account_takeover_risk_configuration {
    notify_configuration {
      source_arn = "arn:aws:ses:eu-central-1:123456789012:identity/shop@example.com"

      block_email {
        html_body = "<p>Blocked</p>"
        subject   = "Blocked"
        text_body = "Blocked"
      }
    }

    actions {
      high_action {
        event_action = "BLOCK"
        notify       = true
      }

      low_action {
        event_action = "NO_ACTION"
        notify       = var.changed
      }
    }
  }
}

resource "aws_cognito_user_group" "settings" {
  name         = "settings"
  user_pool_id = aws_cognito_user_pool.settings.id
  description  = var.changed ? "Second" : "First"
  precedence   = var.changed ? 0 : 42
  role_arn     = aws_iam_role.messages.arn
}

resource "aws_cognito_user" "settings" {
  user_pool_id             = aws_cognito_user_pool.settings.id
  username                 = "john@example.com"
  enabled                  = var.changed
  password                 = "Test1234!"
  desired_delivery_mediums = ["EMAIL"]

  attributes = {
    email          = "john@example.com"
    email_verified = true
    size           = var.changed ? 3 : 2
  }
}

resource "aws_cognito_user" "temporary" {
  user_pool_id       = aws_cognito_user_pool.plain.id
  username           = "temporary"
  temporary_password = "Test1234!"
  message_action     = "SUPPRESS"
}

resource "aws_cognito_resource_server" "settings" {
  user_pool_id = aws_cognito_user_pool.settings.id
  identifier   = "orders"
  name         = var.changed ? "second" : "first"

  dynamic "scope" {
    for_each = var.changed ? ["read", "write"] : ["read"]
    content {
      scope_name        = scope.value
      scope_description = "Scope ${scope.value}"
    }
  }
}

resource "aws_cognito_identity_provider" "social" {
  user_pool_id  = aws_cognito_user_pool.plain.id
  provider_name = "Google"
  provider_type = "Google"

  provider_details = {
    authorize_scopes = "email"
    client_id        = var.changed ? "second" : "first"
    client_secret    = "secret"
  }

  attribute_mapping = {
    email    = "email"
    username = "sub"
  }

  lifecycle {
    ignore_changes = [
      provider_details["attributes_url"],
      provider_details["attributes_url_add_attributes"],
      provider_details["authorize_url"],
      provider_details["oidc_issuer"],
      provider_details["token_request_method"],
      provider_details["token_url"],
    ]
  }
}

resource "aws_cognito_identity_pool" "settings" {
  identity_pool_name               = "settings pool"
  allow_unauthenticated_identities = false
  allow_classic_flow               = var.changed
  developer_provider_name          = "login.shop"
  openid_connect_provider_arns     = ["arn:aws:iam::123456789012:oidc-provider/accounts.example.com"]
  saml_provider_arns               = ["arn:aws:iam::123456789012:saml-provider/company"]

  supported_login_providers = {
    "graph.facebook.com"  = var.changed ? "8346247126911" : "7346241598935552"
    "accounts.google.com" = "123456789012.apps.googleusercontent.com"
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_cognito_identity_pool_provider_principal_tag" "shop" {
  identity_pool_id       = aws_cognito_identity_pool.shop.id
  identity_provider_name = aws_cognito_user_pool.shop.endpoint
  use_defaults           = false

  principal_tags = {
    test = var.changed ? "other" : "value"
  }
}

resource "aws_cognito_identity_pool_roles_attachment" "settings" {
  identity_pool_id = aws_cognito_identity_pool.settings.id

  role_mapping {
    identity_provider         = "graph.facebook.com"
    ambiguous_role_resolution = "AuthenticatedRole"
    type                      = "Rules"

    mapping_rule {
      claim      = "isAdmin"
      match_type = "Equals"
      role_arn   = aws_iam_role.identities["authenticated"].arn
      value      = var.changed ? "free" : "paid"
    }
  }

  roles = {
    authenticated = aws_iam_role.identities["authenticated"].arn
  }
}
