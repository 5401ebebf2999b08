-- Sealed with the purpose `customer-export`; null if the export is not of a customer, and once its archive is deleted.
alter table exports add column sealed_email text, add column is_of_customer boolean not null default false;
