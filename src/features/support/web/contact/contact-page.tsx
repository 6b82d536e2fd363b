import { m } from '#messages';
import { ContactAside } from './contact-aside.tsx';
import { ContactForm, type ContactFormProps } from './contact-form.tsx';
import './contact.css';

export function ContactPage(props: ContactFormProps) {
  return (
    <main
      id="main"
      className="wrap contact grid grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] gap-y-10 gap-x-24 items-start pt-16 pb-0 max-ml:grid-cols-1 max-ml:gap-8 max-ml:pt-10 max-ml:pb-0"
    >
      <div className="grid col-span-full gap-3 max-w-160">
        <h1 className="h1 focus-visible:[outline:none]">
          {m.contact_heading({ mark: (text) => <span className="mark">{text}</span> })}
        </h1>
        <p className="lead">{m.contact_lead()}</p>
      </div>
      <ContactForm {...props} />
      <ContactAside />
    </main>
  );
}
