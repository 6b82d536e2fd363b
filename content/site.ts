import type { Locale } from '#messages';

/** The same in every language, or by language (messages/*.json names them); one that is missing is shown in English. */
export type Words = string | ({ en: string } & Partial<Record<Locale, string>>);

/** A figure that the site states of itself. A sample is shown only while the site runs in its sandbox. */
export interface Claim {
  value: Words;
  label: Words;
  /** true until the operator has put a figure of their own here. */
  sample: boolean;
}

/** An offer for a time, shown with its price before and after. It is gone after its last day. */
export interface Promotion {
  text: Words;
  /** In US cents. Without a code, `after` must be what the plan table says, else the offer is not shown. */
  price: { duration: 'monthly' | 'quarterly' | 'yearly'; before: number; after: number };
  /** The last day on which it holds, UTC: '2027-01-31'. */
  lastDay: string;
  /** Code to type at checkout; null where the price there is the promised one already. */
  code: string | null;
  /** true: shown only while the site runs in its sandbox. */
  sample: boolean;
}

/** What the operator changes, with the claims and the offer below. Secrets and addresses are in the environment. */
export const site = {
  name: 'GPT5AI',
  /**
   * A picture in public/ that stands for the name, or beside it (`withName`), its size in pixels, and a square one for the
   * icon of browsers.
   */
  logo: null as { path: string; width: number; height: number; withName?: boolean; icon?: string } | null,
  /** Who answers questions, and where post reaches the operator; the pages of law show both. */
  supportEmail: 'support@example.com',
  postalAddress: ['Example Company', '1 Example Street', '10000 Example City'],
  consent: {
    /** Whether Customize opens with functional cookies on. Sites with visitors from the EU set false. */
    functionalStartsOn: true,
  },
};

export const claims: readonly Claim[] = [
  {
    value: '50K+',
    label: {
      en: 'active users',
      de: 'aktive Nutzer',
      es: 'usuarios activos',
      fr: 'utilisateurs actifs',
      'pt-BR': 'usuários ativos',
      ja: 'アクティブユーザー',
      'zh-Hans': '活跃用户',
      ar: 'مستخدم نشط',
    },
    sample: true,
  },
  {
    value: '1M+',
    label: {
      en: 'conversations',
      de: 'Chats',
      es: 'chats',
      fr: 'discussions',
      'pt-BR': 'chats',
      ja: 'チャット',
      'zh-Hans': '次对话',
      ar: 'محادثة',
    },
    sample: true,
  },
  {
    value: '95%',
    label: {
      en: 'satisfaction',
      de: 'Zufriedenheit',
      es: 'de satisfacción',
      fr: 'de satisfaction',
      'pt-BR': 'de satisfação',
      ja: '満足度',
      'zh-Hans': '满意度',
      ar: 'نسبة الرضا',
    },
    sample: true,
  },
  {
    value: '4.9/5',
    label: {
      en: 'rating',
      de: 'Bewertung',
      es: 'valoración',
      fr: 'note',
      'pt-BR': 'avaliação',
      ja: '評価',
      'zh-Hans': '评分',
      ar: 'التقييم',
    },
    sample: true,
  },
];

/** Beside the use cases. */
export const useCaseClaims: readonly Claim[] = [
  {
    value: '+300%',
    label: {
      en: 'production',
      de: 'Produktion',
      es: 'de producción',
      fr: 'de production',
      'pt-BR': 'de produção',
      ja: '制作量',
      'zh-Hans': '产量',
      ar: 'الإنتاج',
    },
    sample: true,
  },
  {
    value: '90%',
    label: {
      en: 'time saved',
      de: 'Zeitersparnis',
      es: 'de tiempo ahorrado',
      fr: 'de temps gagné',
      'pt-BR': 'de tempo economizado',
      ja: '時間の節約',
      'zh-Hans': '节省时间',
      ar: 'من الوقت موفَّر',
    },
    sample: true,
  },
  {
    value: '50%',
    label: {
      en: 'faster development',
      de: 'schnellere Entwicklung',
      es: 'más rápido el desarrollo',
      fr: 'de développement plus rapide',
      'pt-BR': 'mais rápido o desenvolvimento',
      ja: '開発の高速化',
      'zh-Hans': '开发提速',
      ar: 'تسريع التطوير',
    },
    sample: true,
  },
];

/** The last day of next month (UTC), so that the sample does not expire on a server that is restarted each month. */
function endOfNextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0)).toISOString().slice(0, 10);
}

/** null: none. What it promises must be what the payment provider charges. */
export const promotion: Promotion | null = {
  text: {
    en: 'Limited Time - 50% OFF',
    de: 'Nur für kurze Zeit: 50 % Rabatt',
    es: 'Por tiempo limitado: 50 % de descuento',
    fr: 'Offre limitée : −50 %',
    'pt-BR': 'Por tempo limitado: 50% de desconto',
    ja: '期間限定50%オフ',
    'zh-Hans': '限时五折',
    ar: 'لفترة محدودة: خصم 50%',
  },
  price: { duration: 'yearly', before: 13_998, after: 6_999 },
  lastDay: endOfNextMonth(),
  code: null,
  sample: true,
};
