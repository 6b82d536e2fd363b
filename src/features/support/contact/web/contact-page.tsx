import { ContactAside } from './contact-aside.tsx';
import { ContactForm, type ContactFormProps } from './contact-form.tsx';
import './contact.css';

/** The form, beside what is often quicker than waiting for an answer. */
export function ContactPage(props: ContactFormProps) {
  return (
    <main id="main" className="wrap contact">
      <div className="contact-head">
        <h1 className="h1">
          Write to <span className="mark">a person</span>
        </h1>
        <p className="lead">
          Every message gets a reference, a receipt and somebody who reads it. The answer comes by mail.
        </p>
      </div>
      <ContactForm {...props} />
      <ContactAside />
    </main>
  );
}
